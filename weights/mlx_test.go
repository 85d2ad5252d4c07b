package weights

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// mlxFile returns what MLX wrote, and how each matrix is quantized by its name.
func mlxFile(t testing.TB) (data []byte, p *Packing) {
	t.Helper()
	data, err := os.ReadFile("testdata/mlx.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	p = &Packing{Usual: Groups{"affine", 4, 64}, Of: map[string]Groups{}}
	for _, name := range mustOpen(t, single(data), Options{}).Names() {
		name, is := strings.CutSuffix(name, ".weight")
		if !is {
			continue
		}
		var g Groups
		if _, err := fmt.Sscanf(strings.ReplaceAll(name, "-", " "), "%s %d %d", &g.Mode, &g.Bits, &g.Size); err != nil || !g.Known() {
			t.Fatalf("%s: %v, %v", name, g, err)
		}
		if g != p.Usual {
			p.Of[name] = g
		}
	}
	return data, p
}

// TestMLX reads matrices in every mode, width and size of groups, bit-equal to the values
// that MLX reads in them (testdata/make_mlx.py).
func TestMLX(t *testing.T) {
	data, p := mlxFile(t)
	s := mustOpen(t, single(data), Options{Packing: p})
	types := map[engine.DType]int{}
	for _, name := range s.Names() {
		name, is := strings.CutSuffix(name, ".weight")
		if !is {
			continue
		}
		w, err := s.Tensor(name + ".weight")
		if err != nil {
			t.Error(err)
			continue
		}
		types[w.DType]++
		values, err := s.Tensor(name + ".values")
		if err != nil {
			t.Fatal(err)
		}
		packed, want := make([]byte, w.Bytes()), make([]byte, values.Bytes())
		if err := readFull(w.Source(), packed, 0); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := readFull(values.Source(), want, 0); err != nil {
			t.Fatal(err)
		}
		got := make([]float32, w.Len())
		quant.Dequantize(w.DType, packed, got)
		for i, x := range got {
			if y := math.Float32frombits(binary.LittleEndian.Uint32(want[4*i:])); x != y {
				t.Errorf("%s[%d] is %g as %v, want %g", name, i, x, w.DType, y)
				break
			}
		}
		// A part of it, from the middle of a row on.
		part := make([]byte, len(packed)/2)
		if err := readFull(w.Source(), part, 7); err != nil || !slices.Equal(part, packed[7:7+len(part)]) {
			t.Errorf("%s: a part of it differs (%v)", name, err)
		}
	}
	if want := map[engine.DType]int{engine.Q4_1: 18, engine.Q5_1: 6, engine.F16: 6, engine.BF16: 6, engine.F32: 18, engine.MXFP4: 1}; fmt.Sprint(types) != fmt.Sprint(want) {
		t.Errorf("types %v, want %v", types, want)
	}
	if unused := s.Unused(); len(unused) != 0 {
		t.Errorf("scales and biases count as unused: %v", unused)
	}
}

// one quantized matrix [2 64] with changes to its tensors.
func packedFile(change func(tensors map[string][]any)) fstest.MapFS {
	tensors := map[string][]any{
		"a.weight": {"U32", []int{2, 8}, 64}, "a.scales": {"F16", []int{2, 1}, 4}, "a.biases": {"F16", []int{2, 1}, 4},
	}
	change(tensors)
	header, at := map[string]any{}, 0
	for _, name := range []string{"a.weight", "a.scales", "a.biases"} {
		if x := tensors[name]; x != nil {
			header[name] = map[string]any{"dtype": x[0], "shape": x[1], "data_offsets": []int{at, at + x[2].(int)}}
			at += x[2].(int)
		}
	}
	text, _ := json.Marshal(header)
	data := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	data = append(data, make([]byte, at)...)
	if tensors["scale"] != nil {
		binary.LittleEndian.PutUint16(data[len(data)-8:], 0x7e00) // not a number
	}
	return fstest.MapFS{singleFile: {Data: data}}
}

// TestMLXRefusals: tensors that do not belong together are refused by name.
func TestMLXRefusals(t *testing.T) {
	usual := Groups{"affine", 4, 64}
	for want, c := range map[string]struct {
		groups Groups
		change func(map[string][]any)
	}{
		"":                             {usual, func(map[string][]any) {}},
		"is no matrix of packed":       {usual, func(x map[string][]any) { delete(x, "a.weight") }},
		"no matrix of packed levels":   {usual, func(x map[string][]any) { x["a.weight"] = []any{"I32", []int{2, 8}, 64} }},
		"its shape is [2 0]":           {usual, func(x map[string][]any) { x["a.weight"] = []any{"U32", []int{2, 0}, 0} }},
		"are not whole groups":         {Groups{"affine", 4, 128}, func(map[string][]any) {}},
		"256 bits are not whole":       {Groups{"affine", 3, 32}, func(map[string][]any) {}},
		"scales are [2 1] instead":     {Groups{"affine", 4, 32}, func(map[string][]any) {}},
		"its scales are I16":           {usual, func(x map[string][]any) { x["a.scales"][0] = "I16" }},
		"biases are missing":           {usual, func(x map[string][]any) { delete(x, "a.biases") }},
		"missing or unlike its scales": {usual, func(x map[string][]any) { x["a.biases"][0] = "BF16" }},
		"its scales are [2 1] instead of [2 2] (MLX mxfp4": {Groups{"mxfp4", 4, 32}, func(map[string][]any) {}},
		"which this mode has not":                          {Groups{"mxfp4", 4, 32}, func(x map[string][]any) { x["a.scales"] = []any{"U8", []int{2, 2}, 4} }},
	} {
		s, err := Open(packedFile(c.change), Options{Packing: &Packing{Usual: c.groups}})
		if want == "" {
			if err != nil {
				t.Error(err)
			} else if w, err := s.Tensor("a.weight"); err != nil || w.Rows != 2 || w.Cols != 64 || w.DType != engine.Q4_1 {
				t.Errorf("a.weight is %+v, %v", w, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.weight") {
			t.Errorf("%q: it says %v", want, err)
		}
	}
	s := mustOpen(t, packedFile(func(x map[string][]any) { x["scale"] = []any{} }), Options{Packing: &Packing{Usual: usual}})
	w, err := s.Tensor("a.weight")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Source().ReadAt(make([]byte, w.Bytes()), 0); err == nil || !strings.Contains(err.Error(), "not a number") {
		t.Errorf("a scale that is not a number: %v", err)
	}
}

// TestMLXTruncated cuts the file at every byte of its header, and at some of its data.
func TestMLXTruncated(t *testing.T) {
	data, p := mlxFile(t)
	head := 8 + int(binary.LittleEndian.Uint64(data))
	for n := 0; n < len(data); n++ {
		if s, err := Open(single(data[:n]), Options{Packing: p}); err == nil {
			s.Close()
			t.Errorf("%d of %d bytes were accepted", n, len(data))
		}
		if n >= head {
			n += 997
		}
	}
}

// FuzzMLX opens any bytes as a checkpoint of MLX with any description of its groups, and
// reads all its weights:
//
//	go test -fuzz FuzzMLX ./weights
func FuzzMLX(f *testing.F) {
	f.Add(packedFile(func(map[string][]any) {})[singleFile].Data, uint8(4), uint8(64), false)
	f.Add(packedFile(func(x map[string][]any) {
		x["a.scales"] = []any{"U8", []int{2, 2}, 4}
		delete(x, "a.biases")
	})[singleFile].Data, uint8(4), uint8(32), true)
	f.Fuzz(func(t *testing.T, data []byte, bits, size uint8, floats bool) {
		g := Groups{"affine", int(bits), int(size)}
		if floats {
			g.Mode = "mxfp4"
		}
		if !g.Known() {
			return
		}
		s, err := Open(single(data), Options{Packing: &Packing{Usual: g}})
		if err != nil {
			checkSentence(t, err, "model.safetensors")
			return
		}
		defer s.Close()
		readAll(t, s, 32*len(data)+1)
	})
}
