package main

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updateWords = flag.Bool("update-words", false, "write testdata/words.txt anew")

// speaks are the parts of the program whose sentences a person can read: in the
// window, in the terminal or in an error.
var speaks = []string{"ui", "cli", "app", "hub", "pipeline", "models", "weights", "tokenizer", "jinja", "sampling", "chats", "regular", "catalogue", "documents", "remote", "server", "main.go"}

// TestWords keeps the sentences of the program in one file, so that a change of
// wording is reviewed as text. Sentences stand in the order of the alphabet
// below the part of the program that says them.
func TestWords(t *testing.T) {
	var page bytes.Buffer
	page.WriteString("What the program says. Written by: go test -run TestWords . -update-words\n")
	for _, part := range speaks {
		sentences := sentencesOf(t, part)
		if len(sentences) == 0 {
			t.Errorf("%s says nothing: is it still there?", part)
		}
		page.WriteString("\n# " + part + "\n\n")
		for _, s := range sentences {
			page.WriteString(s + "\n")
		}
	}

	const path = "testdata/words.txt"
	if *updateWords {
		if err := os.WriteFile(path, page.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	known, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, now := strings.Split(string(known), "\n"), strings.Split(page.String(), "\n")
	for _, line := range now {
		if !slices.Contains(before, line) {
			t.Errorf("new: %s", line)
		}
	}
	for _, line := range before {
		if !slices.Contains(now, line) {
			t.Errorf("gone: %s", line)
		}
	}
	if t.Failed() {
		t.Log("Read the new sentences aloud once, then run: go test -run TestWords . -update-words")
	}
}

// sentencesOf returns the sentences in the source of a file, or of a folder and
// the folders in it, sorted and each once.
func sentencesOf(t *testing.T, part string) []string {
	t.Helper()
	var all []string
	for _, s := range literalsOf(t, part) {
		if isSentence(s) {
			all = append(all, strconv.Quote(s))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// literalsOf returns the texts that are written in the source of a file, or of a folder and the folders in
// it, but for what only tests use.
func literalsOf(t *testing.T, part string) (all []string) {
	t.Helper()
	for _, name := range sources(t, part) {
		if testOnly[path.Dir(name)] {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					all = append(all, s)
				}
			}
			return true
		})
	}
	return all
}

// testOnly are packages that only tests use.
var testOnly = map[string]bool{
	"app/apptest": true, "hub/hubtest": true, "ui/master": true, "ui/scripted": true, "documents/store/storetest": true, "ui/uitest": true, "weights/gguf/gguftest": true,
}

var (
	word     = regexp.MustCompile(`[A-Za-z]{2,}`)
	pattern  = regexp.MustCompile(`[\\^$|]|\(\?|\{%|\{\{`)
	jsonLike = regexp.MustCompile(`^\s*[{\[<]`)
	sqlLike  = regexp.MustCompile(`^[ ;)]*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|VACUUM|WHERE|ORDER BY|AS) |[.\w] [<>=]+ \?|\b(IS NOT NULL|WHERE \w+)$`)
)

// isSentence reports whether a literal is something that is read: several words
// that are no pattern, template, data or SQL.
func isSentence(s string) bool {
	return len(word.FindAllString(s, 3)) >= 2 && strings.Contains(strings.TrimSpace(s), " ") &&
		!pattern.MatchString(s) && !jsonLike.MatchString(s) && !sqlLike.MatchString(s)
}
