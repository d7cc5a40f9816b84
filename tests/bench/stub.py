"""A plugin that reads its request and answers no file: what any plugin in Python pays."""

import sys

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse

CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
sys.stdout.buffer.write(CodeGeneratorResponse().SerializeToString())
