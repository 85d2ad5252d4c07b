// Package nvrtc compiles Metal kernels for NVIDIA cards: package msl rewrites the
// source, headers of the project's own stand in for Metal's, and NVRTC, NVIDIA's
// compiler, makes machine code of it. NVRTC is opened at run time.
package nvrtc

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"inglenook/cudabackend/driver"
	"inglenook/gpu/emulator/native/shim"
	"inglenook/gpu/msl"
)

// MissingError reports that NVRTC is not installed.
type MissingError struct{ Err error }

func (e *MissingError) Error() string {
	return fmt.Sprintf("NVRTC, NVIDIA's compiler, is not here (INGLENOOK_NVRTC may name its library): %v", e.Err)
}

func (e *MissingError) Unwrap() error { return e.Err }

// functions are those of NVRTC that compiling needs.
type functions struct {
	create      func(program *uintptr, source, name string, headers int32, contents, names **byte) int32
	compile     func(program uintptr, options int32, list **byte) int32
	version     func(major, minor *int32) int32
	logSize     func(program uintptr, n *uint64) int32
	log         func(program uintptr, text *byte) int32
	cubinSize   func(program uintptr, n *uint64) int32
	cubin       func(program uintptr, code *byte) int32
	destroy     func(program *uintptr) int32
	errorString func(result int32) string
}

// open opens NVRTC once.
var open = sync.OnceValues(func() (*functions, error) {
	lib, err := driver.Library(places()...)
	if err != nil {
		return nil, &MissingError{err}
	}
	c := &functions{}
	return c, driver.Register(lib, map[string]any{
		"nvrtcCreateProgram": &c.create, "nvrtcCompileProgram": &c.compile, "nvrtcVersion": &c.version,
		"nvrtcGetProgramLogSize": &c.logSize, "nvrtcGetProgramLog": &c.log,
		"nvrtcGetCUBINSize": &c.cubinSize, "nvrtcGetCUBIN": &c.cubin,
		"nvrtcDestroyProgram": &c.destroy, "nvrtcGetErrorString": &c.errorString,
	})
})

// places returns where NVRTC may be: INGLENOOK_NVRTC is the path of one that is
// installed elsewhere, as by Python's package nvidia-cuda-nvrtc.
func places() []string {
	names := []string{os.Getenv("INGLENOOK_NVRTC"), "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}
	for _, version := range []string{"13", "12"} {
		names = append(names, "libnvrtc.so."+version)
	}
	return names
}

// Version returns NVRTC's version, as in "13.0".
func Version() (string, error) {
	c, err := open()
	if err != nil {
		return "", err
	}
	var major, minor int32
	if r := c.version(&major, &minor); r != 0 {
		return "", fmt.Errorf("NVRTC: %s", c.errorString(r))
	}
	return fmt.Sprintf("%d.%d", major, minor), nil
}

// Compile compiles a whole program to machine code for an architecture such as
// "sm_90", with function constants as variables.
func Compile(p *msl.Program, architecture string) (cubin []byte, err error) {
	var source strings.Builder
	if err := p.WriteCUDA(&source); err != nil {
		return nil, err
	}
	return compile(source.String(), architecture)
}

// CompileKernel compiles one kernel with the values of its function constants, by
// index. own is the source of a kernel that stands in for it, or empty.
func CompileKernel(p *msl.Program, kernel *msl.Kernel, constants map[int]int32, own, architecture string) (cubin []byte, err error) {
	var source strings.Builder
	if err := p.WriteCUDAKernel(&source, kernel, constants, own); err != nil {
		return nil, err
	}
	return compile(source.String(), architecture)
}

// compile contracts sums to fused multiply-adds only where the source says so, as in
// the emulator.
func compile(source, architecture string) (cubin []byte, err error) {
	c, err := open()
	if err != nil {
		return nil, err
	}
	names, contents, err := headers()
	if err != nil {
		return nil, err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	var program uintptr
	if r := c.create(&program, "#include <metal_stdlib>\n"+source, "kernels.cu", int32(len(names)), pinned(&pin, contents), pinned(&pin, names)); r != 0 {
		return nil, fmt.Errorf("NVRTC: %s", c.errorString(r))
	}
	defer c.destroy(&program)
	options := []string{
		"--gpu-architecture=" + architecture, "--std=c++17", "--device-as-default-execution-space",
		"--fmad=false", "-lineinfo", "--disable-warnings",
	}
	if r := c.compile(program, int32(len(options)), pinned(&pin, options)); r != 0 {
		return nil, fmt.Errorf("NVRTC: %s:\n%s", c.errorString(r), c.messages(program))
	}
	var n uint64
	if r := c.cubinSize(program, &n); r != 0 || n == 0 {
		return nil, fmt.Errorf("NVRTC gave no code for %s", architecture)
	}
	cubin = make([]byte, n)
	if r := c.cubin(program, &cubin[0]); r != 0 {
		return nil, fmt.Errorf("NVRTC: %s", c.errorString(r))
	}
	return cubin, nil
}

func (c *functions) messages(program uintptr) string {
	var n uint64
	if c.logSize(program, &n) != 0 || n < 2 {
		return ""
	}
	text := make([]byte, n)
	c.log(program, &text[0])
	return string(text[:n-1])
}

// headers returns the shim's files by the names under which the source includes
// them.
func headers() (names, contents []string, err error) {
	for _, file := range shim.CUDA {
		text, err := fs.ReadFile(shim.Files, file.Path)
		if err != nil {
			return nil, nil, err
		}
		names, contents = append(names, file.Include), append(contents, string(text))
	}
	return names, contents, nil
}

// pinned makes a C array of C strings that stays in place until pin is undone.
func pinned(pin *runtime.Pinner, list []string) **byte {
	array := make([]*byte, len(list))
	for i, s := range list {
		text := append([]byte(s), 0)
		pin.Pin(&text[0])
		array[i] = &text[0]
	}
	pin.Pin(&array[0])
	return (**byte)(unsafe.Pointer(&array[0]))
}
