// The judge cuts descriptions as controller-gen does: one JSON object a line in, {"text": ..., "limit": ...}, one out.
// README.md says how to record its answers.
package main

import (
	"encoding/json"
	"io"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
)

type question struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"`
	Cut   string `json:"cut"`
}

func main() {
	lines, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for {
		var asked question
		if err := lines.Decode(&asked); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		schema := apiextensionsv1.JSONSchemaProps{Description: asked.Text}
		crd.TruncateDescription(&schema, asked.Limit)
		asked.Cut = schema.Description
		if err := answers.Encode(asked); err != nil {
			panic(err)
		}
	}
}
