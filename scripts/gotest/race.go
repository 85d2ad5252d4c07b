package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// concurrent finds the tests among some Go files that use goroutines: those that start some, by
// themselves or through what else their package's tests declare, and those in the test file of a
// source file that starts some (batch_test.go of batch.go). It also returns how many other tests there are. A
// file that cannot be read is skipped; go test reports it.
func concurrent(dir string, files ...[]string) (found []string, others int) {
	inFile := map[string][]string{} // tests by file
	var sources []string            // that start goroutines
	helpers := declared{}
	for _, list := range files {
		for _, name := range list {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			ofTests := strings.HasSuffix(name, "_test.go")
			for _, d := range file.Decls {
				if !ofTests {
					if startsGoroutine(d) {
						sources = append(sources, name)
					}
					continue
				}
				if f, ok := d.(*ast.FuncDecl); ok && isTest(f) {
					inFile[name] = append(inFile[name], f.Name.Name)
				}
				helpers.add(d)
			}
		}
	}
	are := map[string]bool{}
	for _, tests := range inFile {
		for _, test := range tests {
			are[test] = are[test] || helpers.start(test, map[string]bool{})
		}
	}
	for _, name := range sources {
		for _, test := range inFile[strings.TrimSuffix(name, ".go")+"_test.go"] {
			are[test] = true
		}
	}
	for test, is := range are {
		if is {
			found = append(found, test)
		} else {
			others++
		}
	}
	return found, others
}

// declared keeps, by name, what test files declare. Methods of one name are taken for one.
type declared map[string][]ast.Node

func (d declared) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		d[decl.Name.Name] = append(d[decl.Name.Name], decl)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					d[name.Name] = append(d[name.Name], v)
				}
			}
		}
	}
}

// start reports whether what a name stands for starts goroutines, or names something that does.
func (d declared) start(name string, seen map[string]bool) (found bool) {
	seen[name] = true
	for _, decl := range d[name] {
		if startsGoroutine(decl) {
			return true
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if used, ok := n.(*ast.Ident); ok && !found && !seen[used.Name] {
				found = d.start(used.Name, seen)
			}
			return !found
		})
	}
	return found
}

func isTest(f *ast.FuncDecl) bool {
	return f.Recv == nil && f.Name.Name != "TestMain" && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz"))
}

// startsGoroutine reports whether there is a go statement or a call of a wait group's Go.
func startsGoroutine(d ast.Node) (found bool) {
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
