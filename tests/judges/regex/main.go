// Command regexjudge says what Go's regexp package makes of patterns.
//
// Without arguments it reads questions and writes answers, one JSON object a line. With the argument "tables" it writes
// the sets of the unicode package and the orbits of its SimpleFold.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"unicode"
)

type question struct {
	Pattern    string   `json:"pattern"`
	Texts      []string `json:"texts"`
	Characters bool     `json:"characters"` // ask which single characters match
}

type answer struct {
	Error      string     `json:"error,omitempty"`
	Matches    []bool     `json:"matches,omitempty"` // MatchString
	All        [][]string `json:"all,omitempty"`     // FindAllString
	Characters [][2]rune  `json:"characters,omitempty"`
}

func judge(asked question) (said answer) {
	compiled, err := regexp.Compile(asked.Pattern)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for _, text := range asked.Texts {
		found := compiled.FindAllString(text, -1)
		if found == nil {
			found = []string{}
		}
		said.Matches = append(said.Matches, compiled.MatchString(text))
		said.All = append(said.All, found)
	}
	if asked.Characters {
		said.Characters = ranges(func(char rune) bool { return compiled.MatchString(string(char)) })
	}
	return said
}

// ranges lists what holds as closed ranges, without surrogates, which no string holds.
func ranges(holds func(rune) bool) (out [][2]rune) {
	for char := rune(0); char <= unicode.MaxRune; char++ {
		if 0xD800 <= char && char <= 0xDFFF || !holds(char) {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last][1] == char-1 {
			out[last][1] = char
		} else {
			out = append(out, [2]rune{char, char})
		}
	}
	return out
}

type tables struct {
	Version string               `json:"version"`
	Sets    map[string][][2]rune `json:"sets"`
	Folds   [][2]rune            `json:"folds"`
}

func dump() tables {
	out := tables{Version: unicode.Version, Sets: map[string][][2]rune{"Cs": {{0xD800, 0xDFFF}}}}
	for _, group := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for name, table := range group {
			if name != "Cs" {
				out.Sets[name] = ranges(func(char rune) bool { return unicode.Is(table, char) })
			}
		}
	}
	for char := rune(0); char <= unicode.MaxRune; char++ {
		if next := unicode.SimpleFold(char); next != char {
			out.Folds = append(out.Folds, [2]rune{char, next})
		}
	}
	return out
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if len(os.Args) > 1 && os.Args[1] == "tables" {
		_ = encoder.Encode(dump())
		return
	}
	decoder := json.NewDecoder(bufio.NewReader(os.Stdin))
	for decoder.More() {
		var asked question
		if err := decoder.Decode(&asked); err != nil {
			panic(err)
		}
		_ = encoder.Encode(judge(asked))
	}
}
