package cuda

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"inglenook/gpu/emulator/native/shim"
	"inglenook/gpu/msl"
)

// ErrNoCompiler is the error of Compile if NVRTC is not installed.
type ErrNoCompiler struct{ Err error }

func (e *ErrNoCompiler) Error() string {
	return fmt.Sprintf("NVRTC, NVIDIA's compiler, is not here (INGLENOOK_NVRTC may name its library): %v", e.Err)
}

func (e *ErrNoCompiler) Unwrap() error { return e.Err }

// nvrtc holds the functions of NVRTC that compiling needs.
type nvrtc struct {
	create      func(program *uintptr, source, name string, headers int32, contents, names **byte) int32
	compile     func(program uintptr, options int32, list **byte) int32
	logSize     func(program uintptr, n *uint64) int32
	log         func(program uintptr, text *byte) int32
	cubinSize   func(program uintptr, n *uint64) int32
	cubin       func(program uintptr, code *byte) int32
	destroy     func(program *uintptr) int32
	errorString func(result int32) string
}

func openCompiler() (*nvrtc, error) {
	lib, err := open(compilers()...)
	if err != nil {
		return nil, &ErrNoCompiler{err}
	}
	c := &nvrtc{}
	return c, register(lib, map[string]any{
		"nvrtcCreateProgram": &c.create, "nvrtcCompileProgram": &c.compile,
		"nvrtcGetProgramLogSize": &c.logSize, "nvrtcGetProgramLog": &c.log,
		"nvrtcGetCUBINSize": &c.cubinSize, "nvrtcGetCUBIN": &c.cubin,
		"nvrtcDestroyProgram": &c.destroy, "nvrtcGetErrorString": &c.errorString,
	})
}

// Compile compiles the program to machine code for an architecture such as
// "sm_90". It contracts sums to fused multiply-adds only where the source says
// so, as in the emulator.
func Compile(p *msl.Program, architecture string) (cubin []byte, err error) {
	c, err := openCompiler()
	if err != nil {
		return nil, err
	}
	var source strings.Builder
	if err := p.WriteCUDA(&source); err != nil {
		return nil, err
	}
	names, contents, err := headers()
	if err != nil {
		return nil, err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	var program uintptr
	if r := c.create(&program, "#include <metal_stdlib>\n"+source.String(), "kernels.cu", int32(len(names)), pinned(&pin, contents), pinned(&pin, names)); r != 0 {
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

// kept does what Compile does, which takes a minute, but keeps the code in the folder
// that INGLENOOK_CUBINS names, by the source's digest. Without one it keeps nothing.
func kept(p *msl.Program, architecture string) ([]byte, error) {
	folder := os.Getenv("INGLENOOK_CUBINS")
	if folder == "" {
		return Compile(p, architecture)
	}
	digest := sha256.New()
	if err := p.WriteCUDA(digest); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%x.cubin", architecture, digest.Sum(nil)[:8]))
	if code, err := os.ReadFile(path); err == nil {
		return code, nil
	}
	code, err := Compile(p, architecture)
	if err != nil {
		return nil, err
	}
	return code, os.WriteFile(path, code, 0o644)
}

func (c *nvrtc) messages(program uintptr) string {
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
