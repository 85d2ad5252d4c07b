package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// concurrent finds the tests among some Go files that use goroutines: those that start some, and those in
// the test file of a source file that does (batch_test.go of batch.go). If a helper of tests starts some,
// any test may use it, and all is true. A file that cannot be read is skipped; go test reports it.
func concurrent(dir string, files ...[]string) (tests []string, all bool) {
	inFile := map[string][]string{} // tests by file
	var sources []string            // that start goroutines
	for _, list := range files {
		for _, name := range list {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			ofTests := strings.HasSuffix(name, "_test.go")
			for _, d := range file.Decls {
				test := ""
				if f, ok := d.(*ast.FuncDecl); ok && ofTests && isTest(f) {
					test = f.Name.Name
					inFile[name] = append(inFile[name], test)
				}
				switch {
				case !startsGoroutine(d):
				case test != "":
					tests = append(tests, test)
				case ofTests:
					all = true
				default:
					sources = append(sources, name)
				}
			}
		}
	}
	for _, name := range sources {
		tests = append(tests, inFile[strings.TrimSuffix(name, ".go")+"_test.go"]...)
	}
	return tests, all
}

func isTest(f *ast.FuncDecl) bool {
	return f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz"))
}

// startsGoroutine reports whether there is a go statement or a call of a wait group's Go.
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
