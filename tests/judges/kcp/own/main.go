// kcp's own converter. Each line of standard input is {"conversion": APIConversion, "schemas": {version: schema},
// "objects": [{"object", "to"}]}, and each line of standard output {"refused": why} or {"objects": [{"object"} or
// {"error"}]}: what the converter makes, pruned as API servers prune it. With `-raw`, as it comes from the converter.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/kcp-dev/kcp/pkg/apis/apis/v1alpha1"
	"github.com/kcp-dev/kcp/pkg/conversion"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

type wanted struct {
	Object json.RawMessage `json:"object"`
	To     string          `json:"to"`
}

type question struct {
	Conversion v1alpha1.APIConversion                     `json:"conversion"`
	Schemas    map[string]apiextensionsv1.JSONSchemaProps `json:"schemas"`
	Objects    []wanted                                   `json:"objects"`
}

type judge struct {
	schemas   map[string]*schema.Structural
	converter *conversion.Converter
	raw       bool
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	raw := len(os.Args) > 1 && os.Args[1] == "-raw"
	for lines.Scan() {
		asked := question{}
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		answer, err := json.Marshal(ask(asked, raw))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}

func ask(asked question, raw bool) map[string]any {
	made, err := read(asked, raw)
	if err != nil {
		return map[string]any{"refused": err.Error()}
	}
	objects := []map[string]any{}
	for _, one := range asked.Objects {
		if found, err := made.convert(one); err != nil {
			objects = append(objects, map[string]any{"error": err.Error()})
		} else {
			objects = append(objects, map[string]any{"object": found})
		}
	}
	return map[string]any{"objects": objects}
}

func read(asked question, raw bool) (made *judge, err error) {
	defer caught(&err)
	made = &judge{schemas: map[string]*schema.Structural{}, raw: raw}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	for name, given := range asked.Schemas {
		internal := apiextensions.JSONSchemaProps{}
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&given, &internal, nil); err != nil {
			return nil, err
		}
		if made.schemas[name], err = schema.NewStructural(&internal); err != nil {
			return nil, err
		}
		validation := &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: given.DeepCopy()}
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: name, Schema: validation})
	}
	made.converter, err = conversion.NewConverter(crd, &asked.Conversion, time.Minute)
	return made, err
}

func (made *judge) convert(one wanted) (found map[string]any, err error) {
	defer caught(&err)
	object := map[string]any{}
	if err := utiljson.Unmarshal(one.Object, &object); err != nil {
		return nil, err
	}
	given := unstructured.Unstructured{Object: object}
	target := apischema.GroupVersion{Group: given.GroupVersionKind().Group, Version: one.To}
	converted, err := made.converter.Convert(&unstructured.UnstructuredList{Items: []unstructured.Unstructured{given}}, target)
	if err != nil {
		return nil, err
	}
	found = converted.Items[0].Object
	if !made.raw {
		pruning.Prune(found, made.schemas[one.To], true)
		defaulting.PruneNonNullableNullsWithoutDefaults(found, made.schemas[one.To])
	}
	return found, nil
}

func caught(err *error) {
	if found := recover(); found != nil {
		*err = fmt.Errorf("panic: %v", found)
	}
}
