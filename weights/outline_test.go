package weights

import (
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
)

// A folder without weights has an outline of whatever a model asks for.
func TestImagined(t *testing.T) {
	s, err := Open(fstest.MapFS{"config.json": {Data: []byte("{}")}}, Options{Outline: true, Imagine: "BF16"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := s.Scope().In("encoder")
	m, again, v := c.Matrix("up.weight", 64, 32), c.Matrix("up.weight", 64, 32), c.Vector("up.bias", 64)
	if c.Err() != nil || m != again || m.DType != engine.BF16 || m.Rows != 64 || m.Cols != 32 || m.Source() != nil || v.Cols != 64 {
		t.Errorf("the weights are %v and %v with the error %v", m, v, c.Err())
	}
	if got := c.Rows("up.weight", 64, 32, [2]int{8, 16}); got.Rows != 8 || got.Source() != nil {
		t.Errorf("8 of its rows are %d", got.Rows)
	}
	if s.Bytes() != 2*(64*32+64) || c.Has("down.weight") {
		t.Errorf("it has %d bytes", s.Bytes())
	}
	c.Matrix("up.weight", 32, 64)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "instead of") {
		t.Errorf("one name with two shapes gives %v", err)
	}
}

// An outline is quantized while loading as a checkpoint is.
func TestImaginedQuantized(t *testing.T) {
	s, err := Open(fstest.MapFS{}, Options{Outline: true, Imagine: "F16", Quantize: engine.Q4_K})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Scope()
	for name, want := range map[string]engine.DType{"a.weight": engine.Q4_K, "wpe.weight": engine.F16} {
		if got := c.Matrix(name, 4, 256).DType; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got := c.Matrix("b.weight", 4, 64).DType; got != engine.Q8_0 {
		t.Errorf("rows of 64 are %v", got)
	}
}

// Block types are only for matrices whose rows are whole blocks.
func TestImaginedBlocks(t *testing.T) {
	s, err := Open(fstest.MapFS{}, Options{Outline: true, Imagine: "Q6_K"})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Scope()
	if a, b, v := c.Matrix("a", 4, 512), c.Matrix("b", 4, 96), c.Vector("c", 512); a.DType != engine.Q6_K || b.DType != engine.F16 || v.DType != engine.F32 {
		t.Errorf("the types are %v, %v and %v", a.DType, b.DType, v.DType)
	}
}

// An index alone has the names: a tensor that it does not name is missing.
func TestIndexAlone(t *testing.T) {
	index := `{"metadata": {"total_size": 10}, "weight_map": {"bert.a.weight": "model-1.safetensors", "bert.LayerNorm.gamma": "model-1.safetensors"}}`
	fsys := fstest.MapFS{indexFile: {Data: []byte(index)}}
	if _, err := Open(fsys, Options{Outline: true}); err == nil || !strings.Contains(err.Error(), "are missing") {
		t.Errorf("without a type to imagine it gives %v", err)
	}
	s, err := Open(fsys, Options{Outline: true, Imagine: "F32"})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Scope().In("bert")
	if !c.Has("a.weight") || !c.Has("LayerNorm.weight") || c.Has("b.weight") {
		t.Error("it knows the wrong names")
	}
	c.Matrix("a.weight", 3, 4)
	c.Vector("LayerNorm.weight", 4)
	if c.Err() != nil {
		t.Error(c.Err())
	}
	c.Matrix("b.weight", 3, 4)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "bert.b.weight") {
		t.Errorf("a name that is not there gives %v", err)
	}
}

// Files may end after their header, and nowhere before.
func TestHeaderAlone(t *testing.T) {
	header := `{"a":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]}}`
	file := append([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, header...)
	for n := range len(file) {
		if _, err := Open(fstest.MapFS{singleFile: {Data: file[:n]}}, Options{Outline: true, Imagine: "F32"}); err == nil {
			t.Fatalf("%d of %d bytes are taken for a header", n, len(file))
		}
	}
	fsys := fstest.MapFS{singleFile: {Data: file}}
	if _, err := Open(fsys, Options{}); err == nil {
		t.Error("without its data the file is opened for reading")
	}
	s, err := Open(fsys, Options{Outline: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w, err := s.Tensor("a")
	if err != nil || w.DType != engine.F16 || w.Rows != 2 || w.Source() != nil {
		t.Errorf("the weight is %v, %v", w, err)
	}
}
