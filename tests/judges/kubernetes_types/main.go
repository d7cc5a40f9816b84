// Prints the schema that controller-gen writes for each type of Kubernetes' APIs, one JSON object a line:
// {"type": "k8s.io/api/core/v1.Pod", "schema": {...}}. What is the schema of another such type is {"$type": NAME}
// with the keywords of the field and the type but without its properties. Descriptions are left out.
// Arguments: import paths of packages.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"reflect"
	"sort"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

type judge struct {
	parser *crd.Parser
	types  map[string]crd.TypeIdent
}

func main() {
	roots, err := loader.LoadRoots(os.Args[1:]...)
	check(err)
	registry := &markers.Registry{}
	check(crdmarkers.Register(registry))
	parser := &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{},
		AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	judge := judge{parser, map[string]crd.TypeIdent{}}
	for ident, info := range parser.Types {
		if _, special := parser.Schemata[ident]; !special && isMessage(info) {
			judge.types[name(ident)] = ident
		}
	}
	names := []string{}
	for name := range judge.types {
		names = append(names, name)
	}
	sort.Strings(names)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, name := range names {
		check(out.Encode(map[string]any{"type": name, "schema": judge.schema(judge.types[name])}))
	}
	for _, root := range roots {
		for _, problem := range root.Errors {
			fmt.Fprintln(os.Stderr, problem)
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func name(ident crd.TypeIdent) string {
	return loader.NonVendorPath(ident.Package.PkgPath) + "." + ident.Name
}

// isMessage tells whether a type is a struct of an API: a field of it has a JSON name and a number.
func isMessage(info *markers.TypeInfo) bool {
	if _, ok := info.RawSpec.Type.(*ast.StructType); !ok {
		return false
	}
	for _, field := range info.Fields {
		if field.Tag.Get("protobuf") != "" && reflect.StructTag(field.Tag).Get("json") != "-" {
			return true
		}
	}
	return false
}

func (judge judge) schema(ident crd.TypeIdent) map[string]any {
	judge.parser.NeedFlattenedSchemaFor(ident)
	flat := plain(judge.parser.FlattenedSchemata[ident])
	judge.cutProperties(flat, judge.parser.Schemata[ident], ident.Package)
	return flat
}

func plain(schema apiext.JSONSchemaProps) map[string]any {
	data, err := json.Marshal(schema)
	check(err)
	values := map[string]any{}
	check(json.Unmarshal(data, &values))
	strip(values)
	return values
}

// strip removes descriptions, which are Kubernetes' text.
func strip(value any) {
	switch value := value.(type) {
	case map[string]any:
		if _, ok := value["description"].(string); ok {
			delete(value, "description")
		}
		for _, child := range value {
			strip(child)
		}
	case []any:
		for _, child := range value {
			strip(child)
		}
	}
}

func (judge judge) cutProperties(flat map[string]any, raw apiext.JSONSchemaProps, from *loader.Package) {
	properties, _ := flat["properties"].(map[string]any)
	for name, child := range properties {
		if property, at, ok := judge.find(raw, name, from); ok {
			judge.cut(child.(map[string]any), property, at)
		}
	}
}

// find returns the schema of a property before references are resolved, and the package that it refers from.
func (judge judge) find(raw apiext.JSONSchemaProps, name string, from *loader.Package) (apiext.JSONSchemaProps, *loader.Package, bool) {
	if property, ok := raw.Properties[name]; ok {
		return property, from, true
	}
	for _, part := range append(raw.AllOf, apiext.JSONSchemaProps{Ref: raw.Ref}) {
		if part.Ref == nil {
			continue
		}
		ident := judge.resolve(part, from)
		if property, at, ok := judge.find(judge.parser.Schemata[ident], name, ident.Package); ok {
			return property, at, true
		}
	}
	return apiext.JSONSchemaProps{}, nil, false
}

func (judge judge) resolve(schema apiext.JSONSchemaProps, from *loader.Package) crd.TypeIdent {
	typeName, packageName, err := crd.RefParts(*schema.Ref)
	check(err)
	if packageName == "" {
		return crd.TypeIdent{Package: from, Name: typeName}
	}
	return crd.TypeIdent{Package: from.Imports()[packageName], Name: typeName}
}

func (judge judge) cut(flat map[string]any, raw apiext.JSONSchemaProps, from *loader.Package) {
	for _, part := range append([]apiext.JSONSchemaProps{raw}, raw.AllOf...) {
		if part.Ref != nil {
			ident := judge.resolve(part, from)
			if _, known := judge.types[name(ident)]; known {
				flat["$type"] = name(ident)
				delete(flat, "properties")
				return
			}
			judge.cut(flat, judge.parser.Schemata[ident], ident.Package)
			return
		}
	}
	if raw.Items != nil && raw.Items.Schema != nil {
		judge.cut(flat["items"].(map[string]any), *raw.Items.Schema, from)
	}
	if raw.AdditionalProperties != nil && raw.AdditionalProperties.Schema != nil {
		judge.cut(flat["additionalProperties"].(map[string]any), *raw.AdditionalProperties.Schema, from)
	}
}
