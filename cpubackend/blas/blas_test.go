package blas

import "testing"

// TestChoose: a library is used by itself on Apple's processors only, elsewhere where it is
// named, and nowhere if that is forbidden.
func TestChoose(t *testing.T) {
	for _, c := range []struct{ system, processor, set, want string }{
		{"darwin", "arm64", "", accelerate},
		{"darwin", "arm64", "off", ""},
		{"darwin", "arm64", "other.dylib", "other.dylib"},
		{"darwin", "amd64", "", ""},
		{"linux", "amd64", "", ""},
		{"linux", "arm64", "libopenblas.so.0", "libopenblas.so.0"},
		{"linux", "amd64", "OFF", ""},
	} {
		if got := choose(c.system, c.processor, c.set); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestName(t *testing.T) {
	for path, want := range map[string]string{
		accelerate: "Accelerate", "/usr/lib/libopenblas.so.0": "libopenblas", "libscipy_openblas-6cdc3b4a.so": "libscipy_openblas-6cdc3b4a", "plain": "plain",
	} {
		if got := name(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
