package cuda

import (
	"errors"
	"fmt"
	"os"

	"github.com/ebitengine/purego"
)

// open opens the first library that this system has.
func open(names ...string) (uintptr, error) {
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

// register finds functions in a library: pointers to function variables by name.
func register(lib uintptr, functions map[string]any) error {
	for name, f := range functions {
		symbol, err := purego.Dlsym(lib, name)
		if err != nil {
			return fmt.Errorf("%s is missing: %w", name, err)
		}
		purego.RegisterFunc(f, symbol)
	}
	return nil
}

// compilers returns where NVRTC may be: INGLENOOK_NVRTC is the path of one that
// is installed elsewhere, as by Python's package nvidia-cuda-nvrtc.
func compilers() []string {
	names := []string{os.Getenv("INGLENOOK_NVRTC"), "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}
	for _, version := range []string{"13", "12"} {
		names = append(names, "libnvrtc.so."+version)
	}
	return names
}
