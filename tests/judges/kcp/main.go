// An evaluator of kcp's APIConversion on Kubernetes' own libraries: structural schemas, CEL as the API server has it,
// pruning. Each line of standard input is {"conversion": APIConversion, "schemas": {version: schema}, "objects":
// [{"object", "to"}]}, and each line of standard output {"refused": why} or {"objects": [{"object"} or {"error"}]}.
//
// It was written from the description of kcp's converter: the whole object is copied, rules read the original and write
// the copy in their order, what is missing is written as null, preserve is kept in an annotation, rules are found by
// the source version.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/google/cel-go/cel"
	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	kjson "sigs.k8s.io/json"
)

const stash = "preserve.conversion.apis.kcp.io/"

type rule struct {
	Field          string `json:"field"`
	Destination    string `json:"destination"`
	Transformation string `json:"transformation"`
}

type way struct {
	From     string   `json:"from"`
	To       string   `json:"to"`
	Rules    []rule   `json:"rules"`
	Preserve []string `json:"preserve"`
}

type spec struct {
	Conversions []way `json:"conversions"`
}

type conversion struct {
	Spec spec `json:"spec"`
}

type wanted struct {
	Object map[string]any `json:"object"`
	To     string         `json:"to"`
}

type question struct {
	Conversion conversion                                 `json:"conversion"`
	Schemas    map[string]apiextensionsv1.JSONSchemaProps `json:"schemas"`
	Objects    []wanted                                   `json:"objects"`
}

type compiled struct {
	field, destination []string
	program            cel.Program
}

type direction struct {
	rules    []compiled
	preserve [][]string
}

type converter struct {
	schemas map[string]*schema.Structural
	from    map[string]direction
}

type outcome struct {
	Object map[string]any `json:"object,omitempty"`
	Error  string         `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var asked question
		if err := kjson.UnmarshalCaseSensitivePreserveInts(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		answer, err := json.Marshal(ask(asked))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}

func ask(asked question) map[string]any {
	made, err := compile(asked)
	if err != nil {
		return map[string]any{"refused": err.Error()}
	}
	objects := []outcome{}
	for _, one := range asked.Objects {
		found, err := made.convert(one.Object, one.To)
		if err != nil {
			objects = append(objects, outcome{Error: err.Error()})
		} else {
			objects = append(objects, outcome{Object: found})
		}
	}
	return map[string]any{"objects": objects}
}

func split(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

func compile(asked question) (*converter, error) {
	made := &converter{map[string]*schema.Structural{}, map[string]direction{}}
	for name, given := range asked.Schemas {
		internal := apiextensions.JSONSchemaProps{}
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&given, &internal, nil); err != nil {
			return nil, err
		}
		structural, err := schema.NewStructural(&internal)
		if err != nil {
			return nil, err
		}
		made.schemas[name] = structural
	}
	for _, one := range asked.Conversion.Spec.Conversions {
		found := direction{}
		for _, given := range one.Rules {
			ready, err := made.rule(one.From, given)
			if err != nil {
				return nil, err
			}
			found.rules = append(found.rules, ready)
		}
		for _, path := range one.Preserve {
			found.preserve = append(found.preserve, split(path))
		}
		made.from[one.From] = found
	}
	return made, nil
}

func (made *converter) rule(from string, given rule) (compiled, error) {
	ready := compiled{field: split(given.Field), destination: split(given.Destination)}
	at := made.schemas[from]
	for _, step := range ready.field {
		if at.Type != "object" {
			return ready, fmt.Errorf("expected field %q to be an object", step)
		}
		below, there := at.Properties[step]
		if !there {
			return ready, fmt.Errorf("field %q doesn't exist", step)
		}
		at = &below
	}
	if given.Transformation == "" {
		return ready, nil
	}
	declared := model.SchemaDeclType(at, true)
	if declared == nil {
		return ready, fmt.Errorf("no rule on a field of type %q", at.Type)
	}
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType())},
	})
	if err != nil {
		return ready, err
	}
	env := set.StoredExpressionsEnv()
	checked, issues := env.Compile(given.Transformation)
	if issues != nil && issues.Err() != nil {
		return ready, fmt.Errorf("error compiling CEL program: %w", issues.Err())
	}
	ready.program, err = env.Program(checked, cel.CostLimit(1_000_000))
	return ready, err
}

func (made *converter) convert(source map[string]any, to string) (map[string]any, error) {
	group, from, _ := strings.Cut(source["apiVersion"].(string), "/")
	result := runtime.DeepCopyJSON(source)
	result["apiVersion"] = group + "/" + to
	found := made.from[from]
	for _, one := range found.rules {
		value, err := one.value(source)
		if err == nil {
			err = unstructured.SetNestedField(result, value, one.destination...)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := found.keep(source, result, from, to); err != nil {
		return nil, err
	}
	pruning.Prune(result, made.schemas[to], true)
	defaulting.PruneNonNullableNullsWithoutDefaults(result, made.schemas[to])
	return result, nil
}

func (one compiled) value(source map[string]any) (any, error) {
	value, there, err := unstructured.NestedFieldCopy(source, one.field...)
	if err != nil || !there || one.program == nil {
		return value, err
	}
	found, _, err := one.program.Eval(map[string]any{"self": value})
	if err != nil {
		return nil, err
	}
	native, err := found.ConvertToNative(reflect.TypeOf(&structpb.Value{}))
	if err != nil {
		return nil, err
	}
	return native.(*structpb.Value).AsInterface(), nil
}

func (found direction) keep(source, result map[string]any, from, to string) error {
	object := unstructured.Unstructured{Object: result}
	annotations := object.GetAnnotations()
	if kept := annotations[stash+to]; kept != "" {
		var values map[string]any
		if err := json.Unmarshal([]byte(kept), &values); err != nil {
			return err
		}
		for path, value := range values {
			if err := unstructured.SetNestedField(result, value, split(path)...); err != nil {
				return err
			}
		}
		delete(annotations, stash+to)
		if len(annotations) == 0 {
			unstructured.RemoveNestedField(result, "metadata", "annotations")
			return nil
		}
		object.SetAnnotations(annotations)
		return nil
	}
	kept := map[string]any{}
	for _, path := range found.preserve {
		if value, there, err := unstructured.NestedFieldNoCopy(source, path...); err == nil && there {
			kept[strings.Join(path, ".")] = value
		}
	}
	if len(kept) == 0 {
		return nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[stash+from] = string(text)
	object.SetAnnotations(annotations)
	return nil
}
