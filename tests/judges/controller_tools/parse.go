package main

import (
	"encoding/json"
	"reflect"
	"sort"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// Arguments is the synthetic marker a:X: one argument of each shape that a marker struct can have.
type Arguments struct {
	Str  string
	Int  int               `marker:",optional"`
	Num  float64           `marker:",optional"`
	Bool *bool             `marker:",optional"`
	Sl   []string          `marker:",optional"`
	Enum []any             `marker:",optional"`
	M    map[string]string `marker:",optional"`
	Any  any               `marker:",optional"`
}

var (
	targets = map[string]markers.TargetType{
		"package": markers.DescribesPackage, "type": markers.DescribesType, "field": markers.DescribesField,
	}
	known     = &markers.Registry{}
	synthetic = &markers.Registry{}
)

func init() {
	must(crdmarkers.Register(known))
	for name, output := range map[string]any{
		"F": struct{}{}, "S": "", "I": 0, "N": 0.0, "B": false, "L": []string(nil), "E": []any(nil),
		"M": map[string]string(nil), "J": crdmarkers.KubernetesDefault{}, "a:X": Arguments{},
		"C": crdmarkers.MaxItems(0), "D": crdmarkers.Maximum(0), "k8s:C": crdmarkers.MaxItems(0), "k8s:D": crdmarkers.Maximum(0),
	} {
		must(synthetic.Define(name, markers.DescribesField, output))
	}
	anything, err := markers.MakeAnyTypeDefinition("A", markers.DescribesField, crdmarkers.Default{})
	must(err)
	must(synthetic.Register(anything))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type parsed struct {
	Found  string                     `json:"found"`
	Values map[string]json.RawMessage `json:"values,omitempty"`
	Error  string                     `json:"error,omitempty"`
}

// parse reads one marker; "found" is the name of the definition, empty where there is none.
func parse(asked request) any {
	definition := lookup(asked.Target, asked.Marker)
	if definition == nil {
		return parsed{}
	}
	output, err := definition.Parse("+" + asked.Marker)
	if err != nil {
		return parsed{Found: definition.Name, Error: err.Error()}
	}
	values, err := arguments(definition, reflect.ValueOf(output))
	if err != nil {
		return parsed{Found: definition.Name, Error: "cannot be printed: " + err.Error()}
	}
	return parsed{Found: definition.Name, Values: values}
}

func lookup(target, marker string) *markers.Definition {
	if target == "synthetic" {
		return synthetic.Lookup("+"+marker, markers.DescribesField)
	}
	described, isKnown := targets[target]
	if !isKnown {
		panic("unknown target " + target)
	}
	return known.Lookup("+"+marker, described)
}

// arguments takes the output of a marker apart: argument name to JSON value, "" for an anonymous argument.
func arguments(definition *markers.Definition, output reflect.Value) (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	for argument, field := range definition.FieldNames {
		value := output
		if field != "" {
			value = output.FieldByName(field)
		}
		text, err := json.Marshal(value.Interface())
		if err != nil {
			return nil, err
		}
		values[argument] = text
	}
	return values, nil
}

type argument struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Optional bool   `json:"optional,omitempty"`
}

type definition struct {
	Name      string     `json:"name"`
	Target    string     `json:"target"`
	Shape     string     `json:"shape"`
	OwnParser bool       `json:"own_parser,omitempty"`
	Arguments []argument `json:"arguments,omitempty"`
	Priority  int64      `json:"priority,omitempty"`
	Applies   string     `json:"applies"`
}

type ownParser interface {
	ParseMarker(name string, anonymousName string, restFields string) error
}

// registry lists every definition, sorted by name and target.
func registry() []definition {
	var all []definition
	for _, found := range known.AllDefinitions() {
		_, own := reflect.New(found.Output).Interface().(ownParser)
		value := reflect.Zero(found.Output).Interface()
		described := definition{
			Name: found.Name, Target: found.Target.String(), Shape: shape(found), OwnParser: own,
			Arguments: argumentsOf(found), Applies: applies(value),
		}
		if described.Applies == "schema" {
			described.Priority = priority(value)
		}
		all = append(all, described)
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].Name < all[j].Name || all[i].Name == all[j].Name && all[i].Target < all[j].Target
	})
	return all
}

func shape(found *markers.Definition) string {
	switch {
	case found.Empty():
		return "flag"
	case found.AnonymousField():
		return "anonymous"
	}
	return "named"
}

func argumentsOf(found *markers.Definition) []argument {
	var all []argument
	for name, described := range found.Fields {
		all = append(all, argument{name, described.TypeString(), described.Optional})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

func applies(value any) string {
	for _, way := range []struct{ method, what string }{
		{"ApplyToSchema", "schema"}, {"ApplyToCRD", "crd"},
	} {
		if _, has := reflect.TypeOf(value).MethodByName(way.method); has {
			return way.what
		}
	}
	return "nothing"
}
