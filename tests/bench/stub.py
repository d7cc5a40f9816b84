"""The unit S: a plugin that parses the request and answers no file."""

import sys

from google.protobuf.compiler import plugin_pb2

plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
sys.stdout.buffer.write(plugin_pb2.CodeGeneratorResponse().SerializeToString())
