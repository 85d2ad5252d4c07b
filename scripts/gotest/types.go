package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
)

// typeCheck checks the types in packages of the module as an operating system and a
// processor compile them, without C. It reads the packages below them from source as well,
// but not the bodies of their functions.
func typeCheck(goos, goarch string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	packages, err := list(goos, goarch, "CGO_ENABLED=0", paths...)
	if err != nil {
		return err
	}
	c := checker{files: token.NewFileSet(), sizes: types.SizesFor("gc", goarch), done: map[string]*types.Package{"unsafe": types.Unsafe}}
	var problems []error
	for _, p := range packages {
		if err := c.check(p); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// checker keeps the types of the packages that were checked, by import path.
type checker struct {
	files *token.FileSet
	sizes types.Sizes
	done  map[string]*types.Package
}

// check checks a package after those that it imports. Only errors in the module's
// own packages count.
func (c *checker) check(p listed) error {
	if p.ImportPath == "unsafe" {
		return nil
	}
	var sources []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(c.files, p.file(name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		sources = append(sources, file)
	}
	var problems []error
	own := p.Module != nil && p.Module.Main
	config := types.Config{
		Importer:         importerOf{c, p.ImportMap},
		Sizes:            c.sizes,
		IgnoreFuncBodies: !own,
		Error: func(err error) {
			if own {
				problems = append(problems, err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	c.done[p.ImportPath], _ = config.Check(p.ImportPath, c.files, sources, nil) // Error has the errors
	return errors.Join(problems...)
}

func (p listed) file(name string) string { return filepath.Join(p.Dir, name) }

// importerOf resolves the imports of one package.
type importerOf struct {
	*checker
	renamed map[string]string
}

func (i importerOf) Import(path string) (*types.Package, error) {
	if renamed, ok := i.renamed[path]; ok {
		path = renamed
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}
