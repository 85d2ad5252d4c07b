package weights

import (
	"encoding/binary"
	"math"
	"os"
	"testing"

	"inglenook/engine"
)

// TestReferenceFiles reads what the reference library wrote (testdata/reference.py).
func TestReferenceFiles(t *testing.T) {
	s := mustOpen(t, os.DirFS("testdata"), Options{File: "reference.safetensors"})
	if m := s.Metadata(); m["format"] != "pt" || m["unicode"] != `é 😀 "quoted"` {
		t.Errorf("metadata %q", m)
	}
	widen := map[engine.DType]func(p []byte) float32{
		engine.F32:  func(p []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(p)) },
		engine.BF16: func(p []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(p)) << 16) },
		engine.F16:  func(p []byte) float32 { return fromF16(binary.LittleEndian.Uint16(p)) },
	}
	shapes := map[string][2]int{"f32": {3, 4}, "f16": {2, 5}, "bf16": {4, 2}, "f64": {1, 6}, "scalar": {1, 1}, "empty": {0, 7}, "cube": {2, 6}}
	for name, shape := range shapes {
		w, err := s.Tensor(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if w.Rows != shape[0] || w.Cols != shape[1] {
			t.Errorf("%s is [%d %d]", name, w.Rows, w.Cols)
		}
		p := make([]byte, w.Bytes())
		if n, err := w.Source().ReadAt(p, 0); n != len(p) {
			t.Errorf("%s: %v", name, err)
		}
		for i := range w.Len() {
			if got, want := widen[w.DType](p[i*w.DType.BlockBytes():]), float32(i)/4-1; got != want {
				t.Errorf("%s[%d] is %g, want %g", name, i, got, want)
			}
		}
	}
	for name, dtype := range map[string]string{"i64": "I64", "bool": "BOOL", "f8": "F8_E4M3"} {
		if info, ok := s.Info(name); !ok || info.DType != dtype {
			t.Errorf("%s: %+v", name, info)
		}
		if _, err := s.Tensor(name); err == nil {
			t.Errorf("%s was given as a weight", name)
		}
	}
	if n := len(s.Names()); n != 10 {
		t.Errorf("%d tensors", n)
	}
	if n := len(mustOpen(t, os.DirFS("testdata"), Options{File: "reference-empty.safetensors"}).Names()); n != 0 {
		t.Errorf("%d tensors in the empty file", n)
	}
}

// fromF16 widens a normal half-precision number or zero.
func fromF16(h uint16) float32 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	if h&0x7fff == 0 {
		return 0
	}
	v := math.Ldexp(1+fraction/1024, exponent-15)
	if h>>15 != 0 {
		v = -v
	}
	return float32(v)
}
