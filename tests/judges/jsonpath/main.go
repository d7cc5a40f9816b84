// The judge of JSONPath: reads a path a line as a JSON string, writes what client-go makes of it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/util/jsonpath"
)

var kinds = map[jsonpath.NodeType]string{
	jsonpath.NodeText: "text", jsonpath.NodeArray: "array", jsonpath.NodeField: "field", jsonpath.NodeIdentifier: "word",
	jsonpath.NodeFilter: "filter", jsonpath.NodeInt: "number", jsonpath.NodeFloat: "number", jsonpath.NodeBool: "word",
	jsonpath.NodeWildcard: "wildcard", jsonpath.NodeRecursive: "recursive", jsonpath.NodeUnion: "union",
}

func shown(list *jsonpath.ListNode) string {
	words := []string{}
	for _, node := range list.Nodes {
		word := kinds[node.Type()]
		switch node := node.(type) {
		case *jsonpath.FieldNode:
			word += " " + node.Value
		case *jsonpath.FilterNode:
			word += " " + node.Operator + " (" + shown(node.Left) + ") (" + shown(node.Right) + ")"
		case *jsonpath.UnionNode:
			for _, one := range node.Nodes {
				word += " (" + shown(one) + ")"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var path string
		if err := json.Unmarshal(lines.Bytes(), &path); err != nil {
			panic(err)
		}
		row := map[string]any{"path": path}
		if parsed, err := jsonpath.Parse("column", fmt.Sprintf("{%s}", path)); err != nil {
			row["error"] = err.Error()
		} else {
			row["nodes"] = shown(parsed.Root.Nodes[0].(*jsonpath.ListNode))
		}
		out.Encode(row)
	}
}
