#!/bin/sh
# build.sh v0.34.13 OUT: the judge on that version of Kubernetes' modules; v0.34 is the last patch release of 1.34.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$(dirname "$2")"
cp "$here"/*.go "$work/"
cd "$work"
go mod init crdadmission
go get "k8s.io/apiextensions-apiserver@$1" "k8s.io/apiserver@$1" "k8s.io/apimachinery@$1"
go mod tidy
minor=$(echo "$1" | cut -d. -f2)
tags=none
if [ "$minor" -le 27 ]; then tags=k27; elif [ "$minor" -le 29 ]; then tags=k$minor; fi
go build -p 1 -tags "$tags" -ldflags "-s -w" -trimpath -o "$2" .
