// yamlread answers how Kubernetes reads a text: one base64 text a line in, one JSON answer a line out.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"
	kyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type document struct {
	JSON  string `json:"json,omitempty"`
	Value any    `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

type answer struct {
	Documents []document `json:"documents"`        // the stream, as kubectl create -f reads it
	Single    string     `json:"single,omitempty"` // the whole text as one YAML document, as JSON
	Error     string     `json:"error,omitempty"`  // ... or why not; neither where documents say the same
	Strict    string     `json:"strict,omitempty"` // what the strict reader adds
	Panic     string     `json:"panic,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			text, bad := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(line)))
			if bad != nil {
				panic(bad)
			}
			if failed := encoder.Encode(judge(text)); failed != nil {
				panic(failed)
			}
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if err != nil {
			return
		}
	}
}

func judge(text []byte) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Panic = fmt.Sprint(p)
		}
	}()
	a.Documents = []document{}
	read(text, &a)
	single, err := yaml.YAMLToJSON(text)
	if err != nil {
		a.Error = err.Error()
	} else {
		a.Single = string(single)
	}
	if _, strict := yaml.YAMLToJSONStrict(text); strict != nil && fmt.Sprint(strict) != fmt.Sprint(err) {
		a.Strict = strict.Error()
	}
	if len(a.Documents) == 1 {
		switch only := a.Documents[0]; {
		case only.Error == "" && only.JSON == a.Single:
			a.Single = ""
		case a.Error != "" && only.Error == "error converting YAML to JSON: "+a.Error:
			a.Error = ""
		}
	}
	return a
}

func read(text []byte, a *answer) {
	decoder := kyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		raw := runtime.RawExtension{}
		if err := decoder.Decode(&raw); err != nil {
			if !errors.Is(err, io.EOF) {
				a.Documents = append(a.Documents, document{Error: err.Error()})
			}
			return
		}
		d := document{JSON: string(raw.Raw)}
		if len(bytes.TrimSpace(raw.Raw)) > 0 {
			var value any
			if err := kjson.Unmarshal(raw.Raw, &value); err != nil {
				d.Error = err.Error()
			} else {
				d.Value = typed(value)
			}
		}
		a.Documents = append(a.Documents, d)
	}
}

// typed tells int64 from float64, which JSON does not.
func typed(value any) any {
	switch v := value.(type) {
	case int64:
		return map[string]any{"int": v}
	case float64:
		return map[string]any{"double": v}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = typed(v[i])
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for k := range v {
			m[k] = typed(v[k])
		}
		return m
	}
	return value
}
