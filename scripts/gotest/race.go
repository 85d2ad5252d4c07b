package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// goroutines says which functions of some Go files start goroutines: whether any that is no test
// does, and the names of the tests that do. A file that cannot be read has its say when go test builds it.
func goroutines(dir string, files ...[]string) (own bool, tests []string) {
	for _, list := range files {
		for _, name := range list {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			for _, d := range file.Decls {
				if !startsGoroutine(d) {
					continue
				}
				if f, ok := d.(*ast.FuncDecl); ok && isTest(name, f) {
					tests = append(tests, f.Name.Name)
				} else {
					own = true
				}
			}
		}
	}
	return own, tests
}

func isTest(file string, f *ast.FuncDecl) bool {
	return strings.HasSuffix(file, "_test.go") && f.Recv == nil &&
		(strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz"))
}

// startsGoroutine finds go statements and calls of a wait group's Go.
func startsGoroutine(d ast.Decl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" && len(n.Args) == 1 {
				found = true
			}
		}
		return !found
	})
	return found
}
