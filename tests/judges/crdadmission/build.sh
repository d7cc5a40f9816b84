#!/bin/sh
# build.sh v0.34.13 OUT: the judge on that version of Kubernetes' modules (v0.34 is Kubernetes 1.34).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/main.go" "$work/"
cd "$work"
go mod init crdadmission 2>/dev/null
go get "k8s.io/apiextensions-apiserver@$1" "k8s.io/apiserver@$1" "k8s.io/apimachinery@$1" 2>/dev/null
go mod tidy 2>/dev/null
go build -ldflags "-s -w" -trimpath -o "$2" .
