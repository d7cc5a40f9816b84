"""A plugin that reads its request and returns no file: the minimum cost of a plugin in Python."""

import sys

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse

CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
sys.stdout.buffer.write(CodeGeneratorResponse().SerializeToString())
