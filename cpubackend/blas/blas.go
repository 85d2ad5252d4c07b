// Package blas finds a library of the system that multiplies matrices, and its
// cblas_sgemm, at run time and without cgo: on Macs with Apple's processors that is
// Accelerate, because their matrix units cannot be reached in another way. Elsewhere it
// is only a library that INGLENOOK_BLAS names.
//
// It calls no product. Package sgemm does, and checks what it gets first.
package blas

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ebitengine/purego"
)

// Variable is the environment variable that names a library, as the path of a file, or
// forbids all of them with "off".
const Variable = "INGLENOOK_BLAS"

const accelerate = "/System/Library/Frameworks/Accelerate.framework/Accelerate"

// Library is an open library.
type Library struct {
	Name    string  // as a person knows it
	Product uintptr // the address of cblas_sgemm, with sizes of 32 bits
}

// Open opens the library that is meant for this computer. It returns nil without an
// error where there is none: then the program multiplies itself. An error is a part of a
// sentence that says why a library cannot be used.
func Open() (*Library, error) {
	path := choose(runtime.GOOS, runtime.GOARCH, os.Getenv(Variable))
	if path == "" {
		return nil, nil
	}
	return open(path)
}

// choose returns the path of the library for a system, whose user may have set Variable;
// "": none.
func choose(system, processor, set string) string {
	switch {
	case strings.EqualFold(set, "off"):
		return ""
	case set != "":
		return set
	case system == "darwin" && processor == "arm64":
		return accelerate
	}
	return ""
}

// Before their names some builds have a prefix, so that two of them fit into one program.
// Those with sizes of 64 bits end in 64_, and are of no use here.
var prefixes = []string{"", "scipy_"}

func open(path string) (*Library, error) {
	l := &Library{Name: name(path)}
	if path == accelerate {
		if err := oneThread(); err != nil {
			return nil, fmt.Errorf("%s cannot be told to use one thread: %w", l.Name, err)
		}
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", l.Name, err)
	}
	for _, prefix := range prefixes {
		if l.Product, err = purego.Dlsym(lib, prefix+"cblas_sgemm"); err != nil {
			continue
		}
		// the backend has threads of its own, and each of them asks for products
		if set, err := purego.Dlsym(lib, prefix+"openblas_set_num_threads"); err == nil {
			purego.SyscallN(set, 1)
		}
		return l, nil
	}
	_ = purego.Dlclose(lib)
	return nil, fmt.Errorf("%s has no cblas_sgemm", l.Name)
}

// oneThread lets Accelerate multiply on the thread that asks: it reads a variable when it
// is used first. Who has set it knows better.
func oneThread() error {
	const variable = "VECLIB_MAXIMUM_THREADS"
	if os.Getenv(variable) != "" {
		return nil
	}
	return os.Setenv(variable, "1")
}

// name is a library's name without folder, version and ending.
func name(path string) string {
	base, _, _ := strings.Cut(filepath.Base(path), ".")
	return base
}
