package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
)

type applied struct {
	Schema  *apiextensionsv1.JSONSchemaProps `json:"schema"`
	Errors  []string                         `json:"errors,omitempty"`
	Ignored []string                         `json:"ignored,omitempty"`
}

type marked struct {
	name  string
	value any
}

// apply does to a schema what controller-gen does with the markers of one field or type: ordinary markers first, then
// those for items, each group by priority. Within a priority controller-gen's order between different names is random;
// here it is the order of the request.
func apply(asked request) any {
	result := applied{Schema: &apiextensionsv1.JSONSchemaProps{}}
	if err := json.Unmarshal(asked.Schema, result.Schema); err != nil {
		return map[string]string{"refused": err.Error()}
	}
	var own, items []marked
	for _, text := range asked.Markers {
		definition := lookup(asked.Target, text)
		if definition == nil {
			result.Ignored = append(result.Ignored, text)
			continue
		}
		value, err := definition.Parse("+" + text)
		switch {
		case err != nil:
			result.Errors = append(result.Errors, err.Error())
		case applies(value) != "schema":
			result.Ignored = append(result.Ignored, text)
		case strings.HasPrefix(definition.Name, crdmarkers.ValidationItemsPrefix):
			items = append(items, marked{definition.Name, value})
		default:
			own = append(own, marked{definition.Name, value})
		}
	}
	for _, marker := range byPriority(own) {
		result.note(applyTo(result.Schema, marker.value))
	}
	for _, marker := range byPriority(items) {
		result.note(applyToItems(result.Schema, marker))
	}
	return result
}

func (a *applied) note(err error) {
	if err != nil {
		a.Errors = append(a.Errors, err.Error())
	}
}

func byPriority(all []marked) []marked {
	slices.SortStableFunc(all, func(a, b marked) int { return int(priority(a.value) - priority(b.value)) })
	return all
}

func priority(value any) int64 {
	switch marker := value.(type) {
	case crdmarkers.ApplyPriorityMarker:
		return int64(marker.ApplyPriority())
	case interface{ ApplyFirst() }:
		return int64(crdmarkers.ApplyPriorityFirst)
	}
	return int64(crdmarkers.ApplyPriorityDefault)
}

func applyToItems(schema *apiextensionsv1.JSONSchemaProps, marker marked) error {
	if schema.Type != "array" || schema.Items == nil || schema.Items.Schema == nil {
		return fmt.Errorf("must apply %s to an array value, found %s", marker.name, schema.Type)
	}
	return applyTo(schema.Items.Schema, marker.value)
}

// applyTo calls ApplyToSchema, which takes a context before the schema from v0.21 on.
func applyTo(schema *apiextensionsv1.JSONSchemaProps, marker any) error {
	method := reflect.ValueOf(marker.(crd.SchemaMarker)).MethodByName("ApplyToSchema")
	arguments := []reflect.Value{reflect.ValueOf(schema)}
	if method.Type().NumIn() == 2 {
		arguments = []reflect.Value{reflect.New(method.Type().In(0).Elem()), reflect.ValueOf(schema)}
	}
	err, _ := method.Call(arguments)[0].Interface().(error)
	return err
}
