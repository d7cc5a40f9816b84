// The judge asks controller-tools itself: what it reads in a marker, what a list of markers makes of a schema, and
// which markers it knows. One JSON object a line in, one out; README.md describes both.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

type request struct {
	Op      string          `json:"op"`
	Target  string          `json:"target"`
	Marker  string          `json:"marker"`
	Markers []string        `json:"markers"`
	Schema  json.RawMessage `json:"schema"`
}

var operations = map[string]func(request) any{
	"":         parse,
	"parse":    parse,
	"apply":    apply,
	"registry": func(request) any { return registry() },
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	answers := bufio.NewWriter(os.Stdout)
	defer answers.Flush()
	encoder := json.NewEncoder(answers)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			if failed := encoder.Encode(answer(line)); failed != nil {
				fmt.Fprintln(os.Stderr, failed)
				os.Exit(1)
			}
			if lines.Buffered() == 0 {
				answers.Flush()
			}
		}
		if err == io.EOF {
			return
		}
	}
}

func answer(line []byte) (result any) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]string{"panic": fmt.Sprint(reason)}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return map[string]string{"refused": err.Error()}
	}
	operation, known := operations[asked.Op]
	if !known {
		return map[string]string{"refused": "unknown op " + asked.Op}
	}
	return operation(asked)
}
