// Renders templates as Helm does: reads lines {"template": ..., "values": ...}, prints lines {"text": ...} or {"error": ...}.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

type question struct {
	Template string         `json:"template"`
	Values   map[string]any `json:"values"`
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	questions := json.NewDecoder(lines)
	for questions.More() {
		var asked question
		if err := questions.Decode(&asked); err != nil {
			panic(err)
		}
		text, err := render(asked)
		answer := map[string]string{"text": text}
		if err != nil {
			answer = map[string]string{"error": err.Error()}
		}
		if err := answers.Encode(answer); err != nil {
			panic(err)
		}
	}
}

func render(asked question) (string, error) {
	made := &chart.Chart{
		Metadata:  &chart.Metadata{Name: "chart", Version: "1.0.0", APIVersion: "v2"},
		Templates: []*chart.File{{Name: "templates/policy.yaml", Data: []byte(asked.Template)}},
	}
	values, err := chartutil.ToRenderValues(made, asked.Values, chartutil.ReleaseOptions{}, nil)
	if err != nil {
		return "", err
	}
	rendered, err := engine.Render(made, values)
	return rendered["chart/templates/policy.yaml"], err
}
