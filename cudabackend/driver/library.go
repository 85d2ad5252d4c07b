package driver

import (
	"errors"
	"fmt"

	"github.com/ebitengine/purego"
)

// Library opens the first of some libraries that this system has. Empty names are
// passed over.
func Library(names ...string) (uintptr, error) {
	var errs []error
	for _, name := range names {
		if name == "" {
			continue
		}
		lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			return lib, nil
		}
		errs = append(errs, err)
	}
	return 0, errors.Join(errs...)
}

// Register finds functions in a library: pointers to function variables by name.
func Register(lib uintptr, functions map[string]any) error {
	for name, f := range functions {
		symbol, err := purego.Dlsym(lib, name)
		if err != nil {
			return fmt.Errorf("%s is missing: %w", name, err)
		}
		purego.RegisterFunc(f, symbol)
	}
	return nil
}
