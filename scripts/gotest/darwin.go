package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// checkDarwin checks the types of the packages without C as a Mac would compile them, so that
// mistakes in code for Macs are found without a Mac. Compiling the libraries below again would
// take minutes. For the second processor it checks only packages that have files for it.
func checkDarwin() error {
	checked := map[string]bool{} // files
	for _, arch := range []string{"arm64", "amd64"} {
		packages, err := withoutC("darwin", arch)
		if err != nil {
			return err
		}
		var paths []string
		for _, p := range packages {
			if p.hasNew(checked) {
				paths = append(paths, p.ImportPath)
			}
			for _, name := range p.GoFiles {
				checked[p.file(name)] = true
			}
		}
		if err := typeCheck("darwin", arch, paths); err != nil {
			return fmt.Errorf("for darwin on %s: %w", arch, err)
		}
	}
	return nil
}

// listed is what go list says of one package.
type listed struct {
	ImportPath, Dir         string
	Standard                bool
	GoFiles, CgoFiles, Deps []string
	ImportMap               map[string]string
	Module                  *struct {
		Main      bool
		GoVersion string
	}
}

// hasNew reports whether some file of a package is not among those of a set.
func (p listed) hasNew(known map[string]bool) bool {
	return slices.ContainsFunc(p.GoFiles, func(name string) bool { return !known[p.file(name)] })
}

// withoutC lists the module's packages that, on an operating system and a processor, use cgo
// neither themselves nor in their imports. Go's standard library does not need cgo.
func withoutC(goos, goarch string) ([]listed, error) {
	all, err := list(goos, goarch, "CGO_ENABLED=1", "inglenook/...")
	if err != nil {
		return nil, err
	}
	needsC := map[string]bool{}
	var plain []listed
	for _, p := range all {
		needsC[p.ImportPath] = !p.Standard && (len(p.CgoFiles) > 0 || slices.ContainsFunc(p.Deps, func(path string) bool { return needsC[path] }))
		if !needsC[p.ImportPath] && p.Module != nil && p.Module.Main {
			plain = append(plain, p)
		}
	}
	return plain, nil
}

// list lists packages and what they import, a package after those that it imports.
func list(goos, goarch, cgo string, paths ...string) ([]listed, error) {
	fields := "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,Deps,ImportMap,Module"
	cmd := command(append([]string{"list", "-e", "-deps", fields}, paths...)...)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, cgo)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}
