#!/bin/sh
# Writes crds/ with protoc. Both protoc and protoc-gen-crd must be found on the PATH.
set -eu
cd "$(dirname "$0")"

mkdir -p crds
protoc \
  -I proto \
  -I "$(protoc-gen-crd include)" \
  --crd_out=crds \
  $(find proto -name '*.proto')
