package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// checkDarwin vets and builds what needs no C as a Mac would: code that only a Mac
// runs compiles before somebody has one. For the second of its processors that is
// what has files for it.
func checkDarwin(out io.Writer) error {
	checked := map[string]bool{} // files
	for _, arch := range []string{"arm64", "amd64"} {
		packages, err := withoutC("darwin", arch)
		if err != nil {
			return err
		}
		build, vet := []string{"build"}, []string{"vet"}
		var runs [][]string
		for _, p := range packages {
			news := slices.ContainsFunc(p.files, func(name string) bool { return !checked[name] })
			for _, name := range p.files {
				checked[name] = true
			}
			switch {
			case !news:
				continue
			case p.testsNeedC: // vet takes tests along with a package, but not with files
				runs = append(runs, append([]string{"vet"}, p.files...))
			default:
				vet = append(vet, p.path)
			}
			build = append(build, p.path)
		}
		for _, run := range append(runs, vet, build) {
			if len(run) == 1 {
				continue
			}
			cmd := command(run...)
			cmd.Env = append(os.Environ(), "GOOS=darwin", "GOARCH="+arch, "CGO_ENABLED=0")
			cmd.Stdout, cmd.Stderr = out, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("go %s for darwin on %s: %w", run[0], arch, err)
			}
		}
	}
	return nil
}

// plainPackage is a package of the module that needs no C compiler.
type plainPackage struct {
	path       string
	files      []string
	testsNeedC bool
}

// withoutC lists the module's packages that, on an operating system and a
// processor, use cgo neither themselves nor in what they import. Go's own library can do without.
func withoutC(goos, goarch string) ([]plainPackage, error) {
	cmd := command("list", "-e", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,Deps,Module,TestImports,XTestImports", "inglenook/...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	type listed struct {
		ImportPath, Dir                                    string
		Standard                                           bool
		GoFiles, CgoFiles, Deps, TestImports, XTestImports []string
		Module                                             *struct{ Main bool }
	}
	needsC := map[string]bool{}
	usesC := func(paths []string) bool {
		return slices.ContainsFunc(paths, func(path string) bool { return needsC[path] })
	}
	var plain []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; { // a package comes after those that it imports
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		needsC[p.ImportPath] = !p.Standard && (len(p.CgoFiles) > 0 || usesC(p.Deps))
		if !needsC[p.ImportPath] && p.Module != nil && p.Module.Main {
			plain = append(plain, p)
		}
	}
	packages := make([]plainPackage, len(plain))
	for i, p := range plain {
		files := make([]string, len(p.GoFiles))
		for j, name := range p.GoFiles {
			files[j] = filepath.Join(p.Dir, name)
		}
		packages[i] = plainPackage{p.ImportPath, files, usesC(p.TestImports) || usesC(p.XTestImports)}
	}
	return packages, nil
}
