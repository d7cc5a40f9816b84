// The judge of the CEL parser: what cel-go itself makes of a text.
//
// A line in is {"text": ..., "switches": ...}; a line out is {"printed": ..., "tree": ...} or {"error": ...}, where a
// node is (kind id@offset ...). Switches are letters: m macros, e names in backticks, s no optional syntax.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/parser"
)

type request struct {
	Text     string `json:"text"`
	Switches string `json:"switches"`
}

type answer struct {
	Printed string `json:"printed,omitempty"`
	Tree    string `json:"tree,omitempty"`
	Error   string `json:"error,omitempty"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// macros are those of the newest environment of Kubernetes, and cel.bind.
func macros() []parser.Macro {
	libraries := []cel.EnvOption{cel.OptionalTypes(), ext.TwoVarComprehensions(), ext.Lists(), ext.Bindings()}
	return must(cel.NewEnv(libraries...)).Macros()
}

func judge(known []parser.Macro, asked request) (told answer) {
	defer func() {
		if broken := recover(); broken != nil {
			told = answer{Error: fmt.Sprintf("PANIC: %v", broken)}
		}
	}()
	options := []parser.Option{
		parser.PopulateMacroCalls(true),
		parser.EnableOptionalSyntax(!strings.Contains(asked.Switches, "s")),
		parser.EnableIdentEscapeSyntax(strings.Contains(asked.Switches, "e")),
	}
	if strings.Contains(asked.Switches, "m") {
		options = append(options, parser.Macros(known...))
	}
	parsed, errs := must(parser.NewParser(options...)).Parse(common.NewTextSource(asked.Text))
	if len(errs.GetErrors()) > 0 {
		return answer{Error: errs.ToDisplayString()}
	}
	told.Printed = must(parser.Unparse(parsed.Expr(), parsed.SourceInfo()))
	told.Tree = (&dumper{parsed.SourceInfo()}).expr(parsed.Expr())
	return told
}

type dumper struct{ info *ast.SourceInfo }

func (d *dumper) head(kind string, id int64) string {
	at, _ := d.info.GetOffsetRange(id)
	return fmt.Sprintf("(%s %d@%d", kind, id, at.Start)
}

func (d *dumper) expr(e ast.Expr) string {
	out := []string{}
	switch e.Kind() {
	case ast.LiteralKind:
		out = append(out, d.head("literal", e.ID()), fmt.Sprintf("%T", e.AsLiteral())[6:])
	case ast.IdentKind:
		out = append(out, d.head("ident", e.ID()), e.AsIdent())
	case ast.SelectKind:
		s := e.AsSelect()
		out = append(out, d.head("select", e.ID()), strconv.Quote(s.FieldName()), strconv.FormatBool(s.IsTestOnly()), d.expr(s.Operand()))
	case ast.CallKind:
		c := e.AsCall()
		out = append(out, d.head("call", e.ID()), c.FunctionName())
		if c.IsMemberFunction() {
			out = append(out, "on", d.expr(c.Target()))
		}
		out = append(out, d.all(c.Args())...)
	case ast.ListKind:
		out = append(out, d.head("list", e.ID()), fmt.Sprint(e.AsList().OptionalIndices()))
		out = append(out, d.all(e.AsList().Elements())...)
	case ast.MapKind:
		out = append(out, d.head("map", e.ID()))
		for _, entry := range e.AsMap().Entries() {
			m := entry.AsMapEntry()
			out = append(out, d.head("entry", entry.ID()), strconv.FormatBool(m.IsOptional()), d.expr(m.Key()), d.expr(m.Value())+")")
		}
	case ast.StructKind:
		out = append(out, d.head("struct", e.ID()), e.AsStruct().TypeName())
		for _, field := range e.AsStruct().Fields() {
			f := field.AsStructField()
			out = append(out, d.head("field", field.ID()), strconv.FormatBool(f.IsOptional()), f.Name(), d.expr(f.Value())+")")
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		names := []string{d.head("fold", e.ID()), c.IterVar(), strconv.Quote(c.IterVar2()), c.AccuVar()}
		out = append(names, d.all([]ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()})...)
	}
	return strings.Join(out, " ") + ")"
}

func (d *dumper) all(exprs []ast.Expr) []string {
	out := make([]string, len(exprs))
	for i, e := range exprs {
		out[i] = d.expr(e)
	}
	return out
}

func main() {
	known := macros()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var asked request
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := encoder.Encode(judge(known, asked)); err != nil {
			panic(err)
		}
		out.Flush()
	}
}
