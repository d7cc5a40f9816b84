// Command yaml answers what Kubernetes' YAML writer prints: a JSON value per input line, a JSON object per output
// line with the text. Where the way through JSON fails, the error stands beside the text, and the text is what
// go-yaml alone prints of the value after all its leaves that can have gone through JSON.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

type answer struct {
	Text    string `json:"text"`
	Refused string `json:"refused,omitempty"`
}

// leaves returns the value with its leaves replaced.
func leaves(value any, replace func(any) any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = leaves(item, replace)
		}
	case []any:
		for i, item := range v {
			v[i] = leaves(item, replace)
		}
	default:
		return replace(value)
	}
	return value
}

// typed turns a number literal into what Go code holds: digits stay as they are, all else is a float64.
func typed(leaf any) any {
	number, ok := leaf.(json.Number)
	if !ok || !strings.ContainsAny(number.String(), ".eE") {
		return leaf
	}
	float, err := number.Float64()
	must(err)
	return float
}

// reread turns a leaf into what go-yaml makes of its JSON, if it can.
func reread(leaf any) any {
	text, err := json.Marshal(leaf)
	must(err)
	var read any
	if goyaml.Unmarshal(text, &read) != nil {
		return leaf
	}
	return read
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	for line, err := in.ReadBytes('\n'); err == nil; line, err = in.ReadBytes('\n') {
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		var value any
		must(decoder.Decode(&value))
		value = leaves(value, typed)
		var reply answer
		text, err := yaml.Marshal(value)
		if err != nil {
			reply.Refused = err.Error()
			text, err = goyaml.Marshal(leaves(value, reread))
			must(err)
		}
		reply.Text = string(text)
		must(answers.Encode(reply))
	}
}
