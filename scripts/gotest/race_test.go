package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestConcurrent(t *testing.T) {
	for _, c := range []struct {
		source, tests string // a.go and a_test.go
		want          []string
	}{
		{"", "func TestX(t *testing.T) { t.Run(``, func(t *testing.T) { go g() }) }\nfunc TestY(t *testing.T) {}\nfunc FuzzZ(f *testing.F) { w.Go(g) }", []string{"FuzzZ", "TestX"}},
		{"func f() { if true { go g() } }", "func TestX(t *testing.T) {}\nfunc help() {}", []string{"TestX"}},
		{"func f(w *sync.WaitGroup) { w.Go(g) }", "func TestX(t *testing.T) {}", []string{"TestX"}},
		{"var f = func() { go g() }\nfunc TestX() { go g() }", "", nil},
		{"// go f()\nfunc f() { x.Go(); s := `\n\tgo f()` }", "func TestX(t *testing.T) {}", nil},
		{"", "func helper() { go g() }\nfunc TestX(t *testing.T) { helper() }\nfunc TestY(t *testing.T) {}", []string{"TestX"}},
		{"", "func (r room) serve() { go g() }\nfunc open() room { r := room{}; r.serve(); return r }\nfunc TestX(t *testing.T) { open() }\nfunc TestY(t *testing.T) {}", []string{"TestX"}},
		{"", "var each = map[string]func(){`a`: func() { go g() }}\nfunc TestX(t *testing.T) { each[`a`]() }", []string{"TestX"}},
		{"", "func even() { odd() }\nfunc odd() { even() }\nfunc TestX(t *testing.T) { even() }", nil},
		{"", "func (d double) TestX() { go g() }", nil},
		{"func f( {", "func TestX(t *testing.T) { go g() }", []string{"TestX"}},
	} {
		dir := t.TempDir()
		for name, source := range map[string]string{"a.go": c.source, "a_test.go": c.tests} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("package p\n"+source), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tests, others := concurrent(dir, []string{"a.go", "none.go"}, []string{"a_test.go"})
		slices.Sort(tests)
		if all := strings.Count(c.tests, "func Test") + strings.Count(c.tests, "func Fuzz"); !slices.Equal(tests, c.want) || others != all-len(c.want) {
			t.Errorf("%s\n%s\ngives %q and %d others, not %q", c.source, c.tests, tests, others, c.want)
		}
	}
}
