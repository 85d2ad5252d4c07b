package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
)

// darwinChecked keeps what was right the last time, below the module's root.
const darwinChecked = "build/darwin-checked"

// checkDarwin checks the types of the packages without C as a Mac would compile them, so that
// mistakes in code for Macs are found without a Mac. Compiling the libraries below again would
// take minutes. As long as every file is what it was when all was right, nothing is checked again.
func checkDarwin() error {
	paths, sum, err := forDarwin()
	if err != nil {
		return err
	}
	if before, err := os.ReadFile(darwinChecked); err == nil && string(before) == sum {
		return nil
	}
	for arch, packages := range paths {
		if err := typeCheck("darwin", arch, packages); err != nil {
			return fmt.Errorf("for darwin on %s: %w", arch, err)
		}
	}
	// Where it cannot be kept, everything is checked again the next time.
	_ = os.WriteFile(darwinChecked, []byte(sum), 0o600)
	return nil
}

// forDarwin returns the packages to check, by processor, and a sum of all files that the check reads.
// For the second processor these are only packages that have files for it.
func forDarwin() (paths map[string][]string, sum string, err error) {
	paths = map[string][]string{}
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	checked := map[string]bool{} // files
	for _, arch := range []string{"arm64", "amd64"} {
		all, err := list("darwin", arch, "CGO_ENABLED=1", "inglenook/...")
		if err != nil {
			return nil, "", err
		}
		if err := addFiles(hash, all); err != nil {
			return nil, "", err
		}
		for _, p := range withoutC(all) {
			if p.hasNew(checked) {
				paths[arch] = append(paths[arch], p.ImportPath)
			}
			for _, name := range p.GoFiles {
				checked[p.file(name)] = true
			}
		}
	}
	return paths, hex.EncodeToString(hash.Sum(nil)), nil
}

// addFiles adds to a sum what tells the files of packages from other ones: of the module's own all
// that is in them, of libraries, whose files never change below one path, path and size.
func addFiles(sum io.Writer, packages []listed) error {
	for _, p := range packages {
		for _, name := range p.GoFiles {
			if own := p.Module != nil && p.Module.Main; !own {
				info, err := os.Stat(p.file(name))
				if err != nil {
					return err
				}
				fmt.Fprintln(sum, p.file(name), info.Size())
				continue
			}
			text, err := os.ReadFile(p.file(name))
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%s %s %x\n", p.ImportPath, name, sha256.Sum256(text))
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

// withoutC chooses the module's packages that use cgo neither themselves nor in their imports, from
// a list of packages in which each stands after those that it imports. Go's standard library does
// not need cgo.
func withoutC(all []listed) (plain []listed) {
	needsC := map[string]bool{}
	for _, p := range all {
		needsC[p.ImportPath] = !p.Standard && (len(p.CgoFiles) > 0 || slices.ContainsFunc(p.Deps, func(path string) bool { return needsC[path] }))
		if !needsC[p.ImportPath] && p.Module != nil && p.Module.Main {
			plain = append(plain, p)
		}
	}
	return plain
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
