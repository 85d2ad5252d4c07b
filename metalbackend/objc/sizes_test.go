//go:build linux && (amd64 || arm64)

package objc

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// TestSizesByValue calls a C function with the signature of a message with two
// MTLSize: Linux has the same calling conventions as macOS here.
func TestSizesByValue(t *testing.T) {
	compiler, err := exec.LookPath(cmp.Or(os.Getenv("CC"), "cc"))
	if err != nil {
		t.Skip("there is no C compiler to build the callee with")
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "sizes.c"), filepath.Join(dir, "sizes.so")
	text := `struct size { unsigned long width, height, depth; };
unsigned long sizes_got[8];
void sizes_take(unsigned long self, unsigned long selector, struct size a, struct size b) {
	unsigned long got[8] = {self, selector, a.width, a.height, a.depth, b.width, b.height, b.depth};
	for (int i = 0; i < 8; i++) sizes_got[i] = got[i];
}
unsigned long sizes_twice(unsigned long a, unsigned long b, unsigned long c) { return 2 * (a + b + c); }
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	handle, err := purego.Dlopen(library, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	take, err := purego.Dlsym(handle, "sizes_take")
	if err != nil {
		t.Fatal(err)
	}
	twice, err := purego.Dlsym(handle, "sizes_twice")
	if err != nil {
		t.Fatal(err)
	}
	at, err := purego.Dlsym(handle, "sizes_got")
	if err != nil {
		t.Fatal(err)
	}
	var cs calls
	call := func() { cs.sendSizes(take, 1, 2, Size{3, 4, 5}, Size{6, 7, 8}) }
	call()
	got := *(**[8]uint64)(unsafe.Pointer(&at))
	if want := [8]uint64{1, 2, 3, 4, 5, 6, 7, 8}; *got != want {
		t.Errorf("the callee got %v, want %v", *got, want)
	}
	if got := cs.send(twice, 20, 1, []uintptr{300}); got != 2*321 {
		t.Errorf("words add up to %d", got)
	}
	if n := testing.AllocsPerRun(100, call); n != 0 {
		t.Errorf("a call allocates %v times", n)
	}
}
