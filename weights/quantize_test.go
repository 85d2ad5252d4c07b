package weights

import (
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/quant"
	"inglenook/weights/gguf/gguftest"
)

// random returns a tensor of normally distributed numbers in a plain type.
func random(name, dtype string, shape ...int) tensor {
	r := rand.New(rand.NewPCG(uint64(len(name)), 7))
	n := 1
	for _, side := range shape {
		n *= side
	}
	t := tensor{name: name, dtype: dtype, shape: shape}
	for range n {
		x := float32(r.NormFloat64())
		switch dtype {
		case "F32":
			t.data = binary.LittleEndian.AppendUint32(t.data, math.Float32bits(x))
		case "F16":
			t.data = binary.LittleEndian.AppendUint16(t.data, engine.F32ToF16(x))
		case "BF16":
			t.data = binary.LittleEndian.AppendUint16(t.data, engine.F32ToBF16(x))
		case "F64":
			t.data = binary.LittleEndian.AppendUint64(t.data, math.Float64bits(float64(x)))
		}
	}
	return t
}

// quantizable is a checkpoint with everything that does and does not become blocks.
func quantizable() []byte {
	return encode("",
		random("model.embed_tokens.weight", "F16", 12, 512),
		random("model.layers.0.mlp.up_proj.weight", "F32", 9, 256),
		random("model.layers.0.mlp.down_proj.weight", "BF16", 9, 96),
		random("model.layers.1.mlp.down_proj.weight", "BF16", 9, 160),
		random("model.layers.0.mlp.odd.weight", "F32", 9, 40),
		random("wide", "F64", 3, 256),
		random("h.0.attn.c_attn.weight", "F32", 256, 33),
		random("model.layers.0.input_layernorm.weight", "F32", 256),
		random("model.layers.0.self_attn.q_layernorm.weight", "F32", 4, 256),
		random("wpe.weight", "F32", 4, 256),
		random("model.layers.0.self_attn.q_proj.bias", "F16", 256),
		random("one_row", "F16", 1, 256),
		random("kernel", "F32", 2, 2, 256),
	)
}

func TestQuantize(t *testing.T) {
	plain := mustOpen(t, single(quantizable()), Options{})
	for _, to := range []engine.DType{engine.Q8_0, engine.Q4_K} {
		s := mustOpen(t, single(quantizable()), Options{Quantize: to})
		c, p := s.Scope(), plain.Scope()
		cases := []struct {
			got, from *engine.Tensor
			want      engine.DType
		}{
			{c.Matrix("model.embed_tokens.weight", 12, 512), p.Matrix("model.embed_tokens.weight", 12, 512), to},
			{c.Matrix("model.layers.0.mlp.up_proj.weight", 9, 256), p.Matrix("model.layers.0.mlp.up_proj.weight", 9, 256), to},
			{c.Rows("model.layers.0.mlp.up_proj.weight", 9, 256, [2]int{7, 9}, [2]int{0, 1}), p.Rows("model.layers.0.mlp.up_proj.weight", 9, 256, [2]int{7, 9}, [2]int{0, 1}), to},
			{c.Matrix("model.layers.0.mlp.down_proj.weight", 9, 96), p.Matrix("model.layers.0.mlp.down_proj.weight", 9, 96), engine.Q8_0},
			{c.Matrix("model.layers.1.mlp.down_proj.weight", 9, 160), p.Matrix("model.layers.1.mlp.down_proj.weight", 9, 160), engine.Q8_0},
			{c.Matrix("model.layers.0.mlp.odd.weight", 9, 40), p.Matrix("model.layers.0.mlp.odd.weight", 9, 40), engine.F32},
			{c.Matrix("wide", 3, 256), p.Matrix("wide", 3, 256), to},
			{c.Transposed("h.0.attn.c_attn.weight", 256, 33), p.Transposed("h.0.attn.c_attn.weight", 256, 33), to},
			{c.Vector("model.layers.0.input_layernorm.weight", 256), p.Vector("model.layers.0.input_layernorm.weight", 256), engine.F32},
			{c.Matrix("model.layers.0.self_attn.q_layernorm.weight", 4, 256), p.Matrix("model.layers.0.self_attn.q_layernorm.weight", 4, 256), engine.F32},
			{c.Matrix("wpe.weight", 4, 256), p.Matrix("wpe.weight", 4, 256), engine.F32},
			{c.Vector("model.layers.0.self_attn.q_proj.bias", 256), p.Vector("model.layers.0.self_attn.q_proj.bias", 256), engine.F16},
			{c.Matrix("one_row", 1, 256), p.Matrix("one_row", 1, 256), engine.F16},
			{c.Matrix("kernel", 2, 512), p.Matrix("kernel", 2, 512), engine.F32},
		}
		if c.Err() != nil || p.Err() != nil {
			t.Fatal(c.Err(), p.Err())
		}
		for _, k := range cases {
			if k.got.DType != k.want || k.got.Rows != k.from.Rows || k.got.Cols != k.from.Cols {
				t.Errorf("%s is [%d %d] of %v, want %v", k.got.Name, k.got.Rows, k.got.Cols, k.got.DType, k.want)
				continue
			}
			want := make([]byte, k.got.Bytes())
			quant.Quantize(k.want, values(t, k.from), want)
			checkPieces(t, k.got, want)
		}
		if again := s.Scope().Matrix("model.embed_tokens.weight", 12, 512); again != cases[0].got {
			t.Error("the table of words is another tensor the second time")
		}
	}
}

// checkPieces reads a weight in pieces of several sizes.
func checkPieces(t *testing.T, w *engine.Tensor, want []byte) {
	t.Helper()
	line := w.DType.RowBytes(w.Cols)
	for _, size := range []int{1000, line, 3 * line, len(want), len(want) + 1} {
		for off := 0; off < len(want); off += size {
			p := make([]byte, size)
			n, err := w.Source().ReadAt(p, int64(off))
			if end := min(off+size, len(want)); !slices.Equal(p[:n], want[off:end]) || (n < size) != (err == io.EOF) {
				t.Errorf("%s: other bytes at %d of %d, %v", w.Name, off, len(want), err)
				return
			}
		}
	}
}

func TestNotes(t *testing.T) {
	for to, want := range map[engine.DType][]string{
		engine.F32:  nil,
		engine.Q8_0: {"1 matrix is not quantized, because blocks of 32 numbers do not fill the rows"},
		engine.Q4_K: {"2 matrices are in Q8_0 instead of Q4_K, whose blocks of 256 numbers do not fill the rows", "1 matrix is not quantized, because blocks of 32 numbers do not fill the rows"},
	} {
		s := mustOpen(t, single(quantizable()), Options{Quantize: to})
		if notes := s.Notes(); notes != nil {
			t.Errorf("%q before a weight is asked for", notes)
		}
		for range 2 {
			for _, name := range s.Names() {
				if _, err := s.Tensor(name); err != nil && name != "h.0.attn.c_attn.weight" {
					t.Fatal(err)
				}
			}
		}
		// The transposed layer of GPT-2 cannot be quantized as it is stored: its rows are 33 long.
		if to != engine.F32 {
			want = slices.Clone(want)
			last := len(want) - 1
			want[last] = strings.Replace(want[last], "1 matrix is", "2 matrices are", 1)
		}
		if notes := s.Notes(); !slices.Equal(notes, want) {
			t.Errorf("%v: %q instead of %q", to, notes, want)
		}
	}
}

// TestQuantizeGGUF quantizes the plain tensors in a GGUF file, including queries in the
// converter's order, and leaves blocks unchanged.
func TestQuantizeGGUF(t *testing.T) {
	q := random("", "F32", 8, 256)
	data := model("llama",
		gguftest.Tensor{Name: "blk.0.attn_q.weight", Type: ggufF32, Dims: []uint64{256, 8}, Data: q.data},
		gguftest.Tensor{Name: "blk.0.ffn_up.weight", Type: ggufQ8_0, Dims: []uint64{256, 2}, Data: counting(2 * 8 * 34)})
	fsys := folder(map[string][]byte{"model.gguf": data})
	s := mustOpen(t, fsys, Options{Quantize: engine.Q4_K})
	w, err := s.Tensor("model.layers.0.self_attn.q_proj.weight")
	must(t, err)
	plain, err := mustOpen(t, fsys, Options{}).Tensor("model.layers.0.self_attn.q_proj.weight")
	must(t, err)
	want := make([]byte, 8*144)
	quant.Quantize(engine.Q4_K, values(t, plain), want)
	checkPieces(t, w, want)
	if up, err := s.Tensor("model.layers.0.mlp.up_proj.weight"); err != nil || up.DType != engine.Q8_0 {
		t.Error(up, err)
	}
	if info, _ := s.Info("model.layers.0.self_attn.q_proj.weight"); info.DType != "F32" || info.Bytes != 8*1024 {
		t.Errorf("%+v", info)
	}
}

func TestQuantizeErrors(t *testing.T) {
	for _, d := range []engine.DType{engine.F16, engine.BF16, engine.I32, engine.Q6_K, 200} {
		refused(t, single(quantizable()), Options{Quantize: d}, "choose Q8_0 or Q4_K")
	}
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		w := random("w", "F32", 4, 256)
		binary.LittleEndian.PutUint32(w.data[4*700:], math.Float32bits(bad))
		s := mustOpen(t, single(encode("", w)), Options{Quantize: engine.Q8_0})
		q, err := s.Tensor("w")
		must(t, err)
		p := make([]byte, q.Bytes())
		if err := readFull(q.Source(), p, 0); err == nil {
			t.Errorf("%g was quantized", bad)
		} else {
			checkSentence(t, err, "not finite")
		}
	}
}

func BenchmarkQuantize(b *testing.B) {
	data := encode("", random("w", "F16", 512, 2048))
	for _, to := range []engine.DType{engine.Q8_0, engine.Q4_K} {
		b.Run(to.String(), func(b *testing.B) {
			w, err := mustOpen(b, single(data), Options{Quantize: to}).Tensor("w")
			if err != nil {
				b.Fatal(err)
			}
			p := make([]byte, w.Bytes())
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := readFull(w.Source(), p, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTransposed(b *testing.B) {
	const rows, cols = 768, 2304 // of GPT-2
	s := mustOpen(b, single(encode("", random("w", "F32", rows, cols))), Options{})
	w := s.Scope().Transposed("w", rows, cols)
	p := make([]byte, 512<<10/(4*rows)*(4*rows)) // as a backend reads
	b.SetBytes(int64(w.Bytes()))
	for b.Loop() {
		for off := 0; off < w.Bytes(); off += len(p) {
			if err := readFull(w.Source(), p[:min(len(p), w.Bytes()-off)], int64(off)); err != nil {
				b.Fatal(err)
			}
		}
	}
}
