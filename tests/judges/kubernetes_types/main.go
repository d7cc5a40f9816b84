// Prints, from the Go types of Kubernetes' APIs, which fields must be there although their .proto files do not say so:
// the JSON name has no omitempty, and the comment neither +optional nor +required. One message a line.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// Fields on one line; a message with more has several lines.
const most = 6

// Group -> message -> version -> fields.
type needs map[string]map[string]map[string][]string

func main() {
	found := needs{}
	for _, root := range os.Args[1:] {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".go") && !generated(path) && hasProto(path) {
				read(path, found)
			}
			return err
		})
		if err != nil {
			panic(err)
		}
	}
	lines := found.lines()
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

func generated(path string) bool {
	return strings.HasSuffix(path, "_test.go") || strings.HasPrefix(filepath.Base(path), "zz_") ||
		strings.HasSuffix(path, "_generated.go") || strings.HasSuffix(path, ".pb.go")
}

func hasProto(path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(path), "generated.proto"))
	return err == nil
}

func read(path string, found needs) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	parts := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	group, version := parts[len(parts)-2], parts[len(parts)-1]
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok {
			if message, ok := spec.Type.(*ast.StructType); ok && !strings.HasSuffix(spec.Name.Name, "List") {
				if found[group] == nil {
					found[group] = map[string]map[string][]string{}
				}
				if found[group][spec.Name.Name] == nil {
					found[group][spec.Name.Name] = map[string][]string{}
				}
				found[group][spec.Name.Name][version] = needed(message)
			}
		}
		return true
	})
}

func needed(message *ast.StructType) []string {
	names := []string{}
	for _, field := range message.Fields.List {
		if field.Tag == nil || len(field.Names) == 0 {
			continue
		}
		raw, _ := strconv.Unquote(field.Tag.Value)
		tag := reflect.StructTag(raw)
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		if tag.Get("protobuf") != "" && name != "" && name != "-" && !strings.Contains(options, "omit") && !said(field) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// said tells whether a line of the comment is a marker; one behind another, as in +k8s:alpha(...)=+k8s:required, is none.
func said(field *ast.Field) bool {
	if field.Doc == nil {
		return false
	}
	for _, line := range field.Doc.List {
		switch strings.TrimSpace(strings.TrimPrefix(line.Text, "//")) {
		case "+optional", "+required", "+k8s:optional", "+k8s:required":
			return true
		}
	}
	return false
}

// Versions that agree make one line, GROUP.MESSAGE FIELD..., others one for each version, GROUP.VERSION.MESSAGE FIELD...
func (found needs) lines() []string {
	lines := []string{}
	for group, messages := range found {
		for message, versions := range messages {
			same := map[string]bool{}
			for _, fields := range versions {
				same[strings.Join(fields, " ")] = true
			}
			for version, fields := range versions {
				if len(fields) == 0 {
					continue
				}
				name := group + "." + version + "." + message
				if len(same) == 1 {
					name = group + "." + message
				}
				for len(fields) > 0 {
					count := min(len(fields), most)
					line := name + " " + strings.Join(fields[:count], " ")
					if !contains(lines, line) {
						lines = append(lines, line)
					}
					fields = fields[count:]
				}
			}
		}
	}
	return lines
}

func contains(lines []string, line string) bool {
	for _, known := range lines {
		if known == line {
			return true
		}
	}
	return false
}
