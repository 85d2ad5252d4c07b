package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestGoroutines(t *testing.T) {
	for _, c := range []struct {
		file, source string
		own          bool
		tests        []string
	}{
		{"a.go", "func f() { if true { go g() } }", true, nil},
		{"a.go", "func f(w *sync.WaitGroup) { w.Go(g) }", true, nil},
		{"a.go", "var f = func() { go g() }", true, nil},
		{"a.go", "func TestX() { go g() }", true, nil},
		{"a.go", "// go f()\nfunc f() { x.Go(); s := `\n\tgo f()` }\nfunc go_() {}", false, nil},
		{"a_test.go", "func TestX(t *testing.T) { t.Run(``, func(t *testing.T) { go g() }) }\nfunc TestY(t *testing.T) {}\nfunc FuzzZ(f *testing.F) { w.Go(g) }", false, []string{"TestX", "FuzzZ"}},
		{"a_test.go", "func helper() { go g() }\nfunc TestX(t *testing.T) { helper() }", true, nil},
		{"a_test.go", "func (d double) TestX() { go g() }", true, nil},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte("package p\n"+c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		own, tests := goroutines(dir, nil, []string{c.file, "none.go"})
		if own != c.own || !slices.Equal(tests, c.tests) {
			t.Errorf("%s: own %v, tests %q", c.source, own, tests)
		}
	}
}
