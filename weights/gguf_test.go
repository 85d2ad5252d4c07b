package weights

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/quant"
	"inglenook/weights/gguf/gguftest"
)

// The numbers of types in GGUF files.
const (
	ggufF32, ggufF16, ggufQ8_0, ggufQ4_K, ggufIQ1_S, ggufF64 = 0, 1, 8, 12, 19, 28
)

// floats returns an F32 tensor with the elements 0, 1, 2, …; its shape begins with the
// rows.
func floats(name string, shape ...int) gguftest.Tensor {
	t := gguftest.Tensor{Name: name, Type: ggufF32}
	n := 1
	for _, side := range slices.Backward(shape) {
		t.Dims = append(t.Dims, uint64(side))
		n *= side
	}
	for i := range n {
		t.Data = append(t.Data, gguftest.Number(uint32(i))...)
	}
	return t
}

// model is a GGUF file of an architecture with 2 heads of queries and 1 of keys.
func model(architecture string, tensors ...gguftest.Tensor) []byte {
	return gguftest.File([]gguftest.Pair{
		{Key: "general.architecture", Value: architecture},
		{Key: architecture + ".attention.head_count", Value: uint32(2)},
		{Key: architecture + ".attention.head_count_kv", Value: uint32(1)},
	}, tensors)
}

func openGGUFBytes(t testing.TB, data []byte) *Set {
	t.Helper()
	return mustOpen(t, folder(map[string][]byte{"model.gguf": data}), Options{})
}

func TestGGUFTensors(t *testing.T) {
	blocks := gguftest.Tensor{Name: "blk.0.ffn_up.weight", Type: ggufQ4_K, Dims: []uint64{512, 3}, Data: counting(2 * 3 * 144)}
	wide := gguftest.Tensor{Name: "wide", Type: ggufF64, Dims: []uint64{2}, Data: gguftest.Number([]float64{0.5, 1e300})}
	s := openGGUFBytes(t, model("llama", floats("token_embd.weight", 6, 4), floats("experts", 3, 2, 4), blocks, wide,
		gguftest.Tensor{Name: "tiny", Type: ggufIQ1_S, Dims: []uint64{256}, Data: counting(50)}))
	for name, want := range map[string]string{
		"model.embed_tokens.weight":         "F32 [6 4] 96 f32 [6 4]",
		"experts":                           "F32 [3 2 4] 96 f32 [3 8]",
		"model.layers.0.mlp.up_proj.weight": "Q4_K [3 512] 864 q4_k [3 512]",
		"wide":                              "F64 [2] 16 f32 [1 2]",
	} {
		info, ok := s.Info(name)
		w, err := s.Tensor(name)
		if err != nil || !ok {
			t.Error(name, err)
			continue
		}
		if got := fmt.Sprint(info.DType, " ", info.Shape, " ", info.Bytes, " ", w.DType, " [", w.Rows, " ", w.Cols, "]"); got != want {
			t.Errorf("%s is %s instead of %s", name, got, want)
		}
		if info.File != "model.gguf" || info.Offset%32 != 0 {
			t.Errorf("%s is at %d of %s", name, info.Offset, info.File)
		}
	}
	if s.Bytes() != 96+96+864+16+50 {
		t.Errorf("%d bytes", s.Bytes())
	}
	if architecture, err := s.Meta().String("general.architecture"); architecture != "llama" || err != nil {
		t.Error(architecture, err)
	}
	if len(s.Metadata()) != 0 || mustOpen(t, single(sample()), Options{}).Meta() != nil {
		t.Error("a file has metadata of the other format")
	}
	p := make([]byte, len(blocks.Data))
	w, err := s.Tensor("model.layers.0.mlp.up_proj.weight")
	must(t, err)
	must(t, readFull(w.Source(), p, 0))
	part := s.Scope().Rows("model.layers.0.mlp.up_proj.weight", 3, 512, [2]int{2, 3}, [2]int{0, 1})
	last := make([]byte, part.Bytes())
	must(t, readFull(part.Source(), last, 0))
	if !slices.Equal(p, blocks.Data) || !slices.Equal(last, slices.Concat(p[576:], p[:288])) {
		t.Error("the blocks are others than were written")
	}
	_, err = s.Tensor("tiny")
	checkSentence(t, err, "model.gguf: the tensor tiny holds IQ1_S numbers, which this version cannot compute with: choose a file with Q4_K_M, Q8_0 or F16 weights")

	c := s.Scope()
	c.Matrix("model.embed_tokens.weight", 7, 4)
	checkSentence(t, c.Err(), "model.gguf does not fit its metadata: 1 of another shape than they say (model.embed_tokens.weight is [6 4] instead of [7 4])")
	c = s.Scope()
	c.Transposed("model.layers.0.mlp.up_proj.weight", 3, 512)
	checkSentence(t, c.Err(), "cannot be transposed")
}

// TestBlockTypes: both packages have the same block sizes.
func TestBlockTypes(t *testing.T) {
	for kind := range uint32(64) {
		data := make([]byte, 1<<16)
		file := gguftest.File(nil, []gguftest.Tensor{{Name: "a", Type: kind, Dims: []uint64{256, 2}, Data: data}})
		s, err := Open(folder(map[string][]byte{"model.gguf": file}), Options{})
		if err != nil {
			checkSentence(t, err, fmt.Sprintf("holds numbers of type %d", kind))
			continue
		}
		info, _ := s.Info("a")
		if w, err := s.Tensor("a"); err == nil && info.DType != "F64" && int64(w.Bytes()) != info.Bytes {
			t.Errorf("%s takes %d bytes as a weight, %d in the file", info.DType, w.Bytes(), info.Bytes)
		}
		s.Close()
	}
}

func TestGGUFErrors(t *testing.T) {
	meta := func(pairs ...gguftest.Pair) []byte {
		return gguftest.File(pairs, []gguftest.Tensor{floats("blk.0.attn_q.weight", 12, 2)})
	}
	architecture := gguftest.Pair{Key: "general.architecture", Value: "llama"}
	headCount := func(v any) []byte {
		return meta(architecture, gguftest.Pair{Key: "llama.attention.head_count", Value: v})
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                   {nil, "model.gguf is damaged: it was cut short: the beginning is not whole: download"},
		"a pickle":                  {[]byte("PK\x03\x04\x14\x00"), "can run code"},
		"a web page":                {[]byte("<html>"), "is a web page"},
		"a Git LFS pointer":         {[]byte("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"},
		"safetensors":               {one(8), "is no GGUF file"},
		"big-endian":                {gguftest.Head(3<<24, 0, 0), "model.gguf is a big-endian GGUF file"},
		"of the future":             {gguftest.Head(4, 0, 0), "update Inglenook"},
		"cut short":                 {model("llama", floats("a", 8))[:200], "cut short"},
		"an architecture of 7":      {meta(gguftest.Pair{Key: "general.architecture", Value: uint32(7)}), "general.architecture: a string is wanted"},
		"no number of heads":        {meta(architecture), "llama.attention.head_count: it is missing"},
		"0 heads":                   {headCount(uint32(0)), "llama.attention.head_count are 0"},
		"-1 heads":                  {headCount(int32(-1)), "llama.attention.head_count are -1"},
		"5 heads":                   {headCount(uint32(5)), "its 12 rows are not 5 heads of pairs"},
		"heads of one row":          {headCount(uint32(12)), "not 12 heads of pairs"},
		"many heads":                {headCount(uint64(math.MaxInt64)), "heads of pairs"},
		"more heads than can be":    {headCount(uint64(math.MaxUint64)), "an array of integers is wanted"},
		"heads in words":            {headCount("two"), "an array of integers is wanted"},
		"no heads for a layer":      {headCount([]uint32{}), "no number for layer 0"},
		"a tensor under two names":  {model("llama", floats("blk.0.attn_v.weight", 4), floats("model.layers.0.self_attn.v_proj.weight", 4)), "self_attn.v_proj.weight comes twice"},
		"a part and the whole":      {model("llama", floats("blk.0.attn_qkv.weight", 16, 1), floats("blk.0.attn_v.weight", 4)), "self_attn.v_proj.weight comes twice"},
		"a whole of other heads":    {model("llama", floats("blk.0.attn_qkv.weight", 15, 1)), "does not hold 2 heads of queries"},
		"a whole of one number":     {model("llama", floats("blk.0.attn_qkv.weight")), "does not hold 2 heads of queries"},
		"queries of one number":     {model("llama", floats("blk.0.attn_q.weight")), "its 1 rows are not 2 heads"},
		"a bias in blocks":          {model("llama", gguftest.Tensor{Name: "blk.0.attn_q.bias", Type: ggufQ8_0, Dims: []uint64{32}, Data: counting(34)}), "a vector of Q8_0"},
		"queries without an end":    {model("llama", gguftest.Tensor{Name: "blk.99999999999999999999.attn_q.weight", Dims: []uint64{1, 3}, Data: counting(12)}), "its 3 rows are not 2 heads"},
		"a layer beyond all others": {gguftest.File([]gguftest.Pair{architecture, {Key: "llama.attention.head_count", Value: []uint32{1, 2}}}, []gguftest.Tensor{floats("blk.99999999999999999999.attn_q.weight", 4, 1)}), "no number for layer 99999999999999999999"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, folder(map[string][]byte{"model.gguf": c.data}), Options{}, c.want)
		})
	}
}

// TestGGUFFileChanges changes a GGUF file that is in use, and reads from it
// through the reader of heads.
func TestGGUFFileChanges(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let an open file be changed")
	}
	const rows, cols = 64, 4096
	q := gguftest.Tensor{Name: "blk.0.attn_q.weight", Type: ggufF32, Dims: []uint64{cols, rows}, Data: counting(4 * rows * cols)}
	data := model("llama", q)
	for _, c := range changes {
		for _, noMap := range []bool{false, true} {
			dir := t.TempDir()
			file := filepath.Join(dir, "model.gguf")
			write(t, file, data)
			old := time.Now().Add(-time.Minute)
			must(t, os.Chtimes(file, old, old))
			s := mustOpen(t, os.DirFS(dir), Options{NoMap: noMap})
			w, err := s.Tensor("model.layers.0.self_attn.q_proj.weight")
			must(t, err)
			p := make([]byte, w.Bytes())
			must(t, readFull(w.Source(), p, 0))
			c.to(t, file)
			if err := readFull(w.Source(), p, 0); errors.Is(err, ErrFileChanged) == c.alive {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// FuzzGGUF opens any bytes as a model and reads all its weights:
//
//	go test -fuzz FuzzGGUF ./weights
func FuzzGGUF(f *testing.F) {
	f.Add(model("llama", floats("blk.0.attn_q.weight", 12, 2), floats("blk.0.attn_qkv.bias", 16), floats("output.weight", 2, 3)))
	f.Add(model("falcon", floats("blk.0.attn_norm.weight", 4), floats("blk.0.attn_norm_2.weight", 4)))
	for _, data := range splitModel() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Open(folder(map[string][]byte{"model.gguf": data}), Options{})
		if err != nil {
			checkSentence(t, err, "model.gguf")
			return
		}
		defer s.Close()
		readAll(t, s, len(data))
	})
}

// TestRealGGUF compares the GGUF files of stories260K with the safetensors
// from which they were made, tensor by tensor.
func TestRealGGUF(t *testing.T) {
	fsys := os.DirFS("../../shared/models/stories260K")
	if _, err := fs.Stat(fsys, "stories260K-F32.gguf"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("stories260K is not beside the repository")
	}
	want := mustOpen(t, fsys, Options{})
	for file, tolerance := range map[string]float64{"stories260K-F32.gguf": 0, "stories260K-Q8_0.gguf": 1. / 127} {
		s := mustOpen(t, fsys, Options{File: file})
		types := map[string]int{}
		for _, name := range s.Names() {
			a, err := s.Tensor(name)
			must(t, err)
			if name == "lm_head.weight" { // tied
				name = "model.embed_tokens.weight"
			}
			b, err := want.Tensor(name)
			must(t, err)
			got, exact := values(t, a), values(t, b)
			if len(got) != len(exact) {
				t.Fatalf("%s is [%d %d] instead of [%d %d]", name, a.Rows, a.Cols, b.Rows, b.Cols)
			}
			largest := float64(slices.MaxFunc(exact, func(x, y float32) int { return int(math.Copysign(1, math.Abs(float64(x))-math.Abs(float64(y)))) }))
			for i := range got {
				if diff := math.Abs(float64(got[i] - exact[i])); diff > tolerance*math.Abs(largest) {
					t.Fatalf("%s: element %d of %s is %g instead of %g", file, i, name, got[i], exact[i])
				}
			}
			types[a.DType.String()]++
		}
		t.Log(file, slices.Sorted(maps.Keys(types)), len(s.Names()))
		if len(s.Names()) < 40 {
			t.Errorf("%s has only %d tensors", file, len(s.Names()))
		}
	}
}

// values reads a whole weight as float32.
func values(t *testing.T, w *engine.Tensor) []float32 {
	t.Helper()
	p := make([]byte, w.Bytes())
	must(t, readFull(w.Source(), p, 0))
	v := make([]float32, w.Len())
	quant.Dequantize(w.DType, p, v)
	return v
}
