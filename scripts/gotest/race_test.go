package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestConcurrent(t *testing.T) {
	for _, c := range []struct {
		source, tests string // a.go and a_test.go
		want          []string
		all           bool
	}{
		{"", "func TestX(t *testing.T) { t.Run(``, func(t *testing.T) { go g() }) }\nfunc TestY(t *testing.T) {}\nfunc FuzzZ(f *testing.F) { w.Go(g) }", []string{"TestX", "FuzzZ"}, false},
		{"func f() { if true { go g() } }", "func TestX(t *testing.T) {}\nfunc help() {}", []string{"TestX"}, false},
		{"func f(w *sync.WaitGroup) { w.Go(g) }", "func TestX(t *testing.T) {}", []string{"TestX"}, false},
		{"var f = func() { go g() }\nfunc TestX() { go g() }", "", nil, false},
		{"// go f()\nfunc f() { x.Go(); s := `\n\tgo f()` }", "func TestX(t *testing.T) {}", nil, false},
		{"", "func helper() { go g() }\nfunc TestX(t *testing.T) { helper() }", nil, true},
		{"", "func (d double) TestX() { go g() }", nil, true},
		{"func f( {", "func TestX(t *testing.T) { go g() }", []string{"TestX"}, false},
	} {
		dir := t.TempDir()
		for name, source := range map[string]string{"a.go": c.source, "a_test.go": c.tests} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("package p\n"+source), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tests, all := concurrent(dir, []string{"a.go", "none.go"}, []string{"a_test.go"})
		if !slices.Equal(tests, c.want) || all != c.all {
			t.Errorf("%s\n%s\ngives %q, all: %v", c.source, c.tests, tests, all)
		}
	}
}
