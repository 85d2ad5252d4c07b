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
	"strings"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/quant"
	"inglenook/weights/gguf/gguftest"
)

// The numbers that GGUF files have for types.
const (
	ggufF32, ggufF16, ggufQ8_0, ggufQ4_K, ggufIQ2_XXS, ggufF64 = 0, 1, 8, 12, 16, 28
)

const (
	part1 = "model-00001-of-00003.gguf"
	part2 = "model-00002-of-00003.gguf"
	part3 = "model-00003-of-00003.gguf"
)

// floats is a tensor of F32 whose elements are 0, 1, 2, …, given by its rows first.
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

// TestGGUFNames checks the names of every architecture.
func TestGGUFNames(t *testing.T) {
	const llama = `token_embd.weight model.embed_tokens.weight
		output_norm.weight model.norm.weight
		output.weight lm_head.weight
		rope_freqs.weight rope_freqs.weight
		blk.11.attn_norm.weight model.layers.11.input_layernorm.weight
		blk.0.attn_q.weight model.layers.0.self_attn.q_proj.weight
		blk.0.attn_k.weight model.layers.0.self_attn.k_proj.weight
		blk.0.attn_v.weight model.layers.0.self_attn.v_proj.weight
		blk.0.attn_output.weight model.layers.0.self_attn.o_proj.weight
		blk.0.ffn_norm.weight model.layers.0.post_attention_layernorm.weight
		blk.0.ffn_gate.weight model.layers.0.mlp.gate_proj.weight
		blk.0.ffn_up.weight model.layers.0.mlp.up_proj.weight
		blk.0.ffn_down.weight model.layers.0.mlp.down_proj.weight `
	const gemma = `token_embd.weight model.embed_tokens.weight
		output_norm.weight model.norm.weight
		blk.0.attn_norm.weight model.layers.0.input_layernorm.weight
		blk.0.post_attention_norm.weight model.layers.0.post_attention_layernorm.weight
		blk.0.ffn_norm.weight model.layers.0.pre_feedforward_layernorm.weight
		blk.0.post_ffw_norm.weight model.layers.0.post_feedforward_layernorm.weight
		blk.0.attn_q.weight model.layers.0.self_attn.q_proj.weight
		blk.0.ffn_down.weight model.layers.0.mlp.down_proj.weight `
	const headNorms = `blk.3.attn_q_norm.weight model.layers.3.self_attn.q_norm.weight
		blk.3.attn_k_norm.weight model.layers.3.self_attn.k_norm.weight `
	for architecture, pairs := range map[string]string{
		"llama":   llama + "blk.0.attn_q.bias model.layers.0.self_attn.q_proj.bias",
		"smollm3": llama,
		"qwen2":   llama + "blk.0.attn_q.bias model.layers.0.self_attn.q_proj.bias blk.0.attn_v.bias model.layers.0.self_attn.v_proj.bias",
		"qwen3":   llama + headNorms,
		"gemma2":  gemma,
		"gemma3":  gemma + headNorms,
		"stablelm": llama + `output_norm.bias model.norm.bias blk.0.attn_norm.bias model.layers.0.input_layernorm.bias
			blk.3.attn_q_norm.weight model.layers.3.self_attn.q_layernorm.weight`,
		"phi2": `token_embd.weight model.embed_tokens.weight
			output_norm.weight model.final_layernorm.weight output_norm.bias model.final_layernorm.bias
			output.weight lm_head.weight output.bias lm_head.bias
			blk.0.attn_norm.bias model.layers.0.input_layernorm.bias
			blk.0.attn_q.weight model.layers.0.self_attn.q_proj.weight
			blk.0.attn_k.bias model.layers.0.self_attn.k_proj.bias
			blk.0.attn_output.weight model.layers.0.self_attn.dense.weight
			blk.0.ffn_up.weight model.layers.0.mlp.fc1.weight
			blk.0.ffn_down.bias model.layers.0.mlp.fc2.bias`,
		"phi3": `token_embd.weight model.embed_tokens.weight
			blk.0.attn_qkv.weight model.layers.0.self_attn.qkv_proj.weight
			blk.0.ffn_up.weight model.layers.0.mlp.gate_up_proj.weight
			blk.0.ffn_norm.weight model.layers.0.post_attention_layernorm.weight
			rope_factors_long.weight rope_factors_long.weight`,
		"falcon": `token_embd.weight transformer.word_embeddings.weight
			output_norm.bias transformer.ln_f.bias
			output.weight lm_head.weight
			blk.0.attn_norm.weight transformer.h.0.input_layernorm.weight
			blk.1.attn_norm.weight transformer.h.1.ln_mlp.weight blk.1.attn_norm.bias transformer.h.1.ln_mlp.bias
			blk.1.attn_norm_2.weight transformer.h.1.ln_attn.weight blk.1.attn_norm_2.bias transformer.h.1.ln_attn.bias
			blk.0.attn_qkv.weight transformer.h.0.self_attention.query_key_value.weight
			blk.0.attn_output.weight transformer.h.0.self_attention.dense.weight
			blk.0.ffn_up.weight transformer.h.0.mlp.dense_h_to_4h.weight
			blk.0.ffn_down.weight transformer.h.0.mlp.dense_4h_to_h.weight`,
		"gptneox": `token_embd.weight gpt_neox.embed_in.weight
			output_norm.weight gpt_neox.final_layer_norm.weight
			output.weight embed_out.weight
			blk.0.attn_norm.bias gpt_neox.layers.0.input_layernorm.bias
			blk.0.attn_qkv.bias gpt_neox.layers.0.attention.query_key_value.bias
			blk.0.attn_output.weight gpt_neox.layers.0.attention.dense.weight
			blk.0.ffn_norm.weight gpt_neox.layers.0.post_attention_layernorm.weight
			blk.0.ffn_up.weight gpt_neox.layers.0.mlp.dense_h_to_4h.weight
			blk.0.ffn_down.weight gpt_neox.layers.0.mlp.dense_4h_to_h.weight`,
		"gpt2": `token_embd.weight transformer.wte.weight
			position_embd.weight transformer.wpe.weight
			output_norm.bias transformer.ln_f.bias
			output.weight lm_head.weight
			blk.0.attn_norm.weight transformer.h.0.ln_1.weight
			blk.0.attn_qkv.weight transformer.h.0.attn.c_attn.weight
			blk.0.attn_output.bias transformer.h.0.attn.c_proj.bias
			blk.0.ffn_norm.weight transformer.h.0.ln_2.weight
			blk.0.ffn_up.weight transformer.h.0.mlp.c_fc.weight
			blk.0.ffn_down.weight transformer.h.0.mlp.c_proj.weight`,
		"somethingelse": "token_embd.weight token_embd.weight blk.0.attn_q.weight blk.0.attn_q.weight",
	} {
		var tensors []gguftest.Tensor
		var want []string
		for name := range slices.Chunk(strings.Fields(pairs), 2) {
			tensors, want = append(tensors, floats(name[0], 4, 8)), append(want, name[1])
		}
		// What no table knows keeps its name.
		for _, name := range []string{"blk.0.ffn_gate_inp.weight", "blk.x.attn_norm.weight", "blk..attn_norm.weight", "blk.0", "extra", "a.b.c"} {
			tensors, want = append(tensors, floats(name, 4)), append(want, name)
		}
		slices.Sort(want)
		if got := openGGUFBytes(t, model(architecture, tensors...)).Names(); !slices.Equal(got, want) {
			t.Errorf("%s has %q instead of %q", architecture, got, want)
		}
	}
}

func TestGGUFTensors(t *testing.T) {
	blocks := gguftest.Tensor{Name: "blk.0.ffn_up.weight", Type: ggufQ4_K, Dims: []uint64{512, 3}, Data: counting(2 * 3 * 144)}
	wide := gguftest.Tensor{Name: "wide", Type: ggufF64, Dims: []uint64{2}, Data: gguftest.Number([]float64{0.5, 1e300})}
	s := openGGUFBytes(t, model("llama", floats("token_embd.weight", 6, 4), floats("experts", 3, 2, 4), blocks, wide,
		gguftest.Tensor{Name: "tiny", Type: ggufIQ2_XXS, Dims: []uint64{256}, Data: counting(66)}))
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
	if s.Bytes() != 96+96+864+16+66 {
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
	checkSentence(t, err, "model.gguf: the tensor tiny holds IQ2_XXS numbers, which this version cannot compute with: choose a file with Q4_K_M, Q8_0 or F16 weights")

	c := s.Scope()
	c.Matrix("model.embed_tokens.weight", 7, 4)
	checkSentence(t, c.Err(), "model.gguf does not fit its metadata: 1 of another shape than they say (model.embed_tokens.weight is [6 4] instead of [7 4])")
	c = s.Scope()
	c.Transposed("model.layers.0.mlp.up_proj.weight", 3, 512)
	checkSentence(t, c.Err(), "cannot be transposed")
}

// TestBlockTypes holds the sizes of blocks of both packages against each other.
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

// TestHeadOrder checks that queries and keys come in the order of Hugging
// Face: the converter interleaves the halves of each head.
func TestHeadOrder(t *testing.T) {
	s := openGGUFBytes(t, model("llama", floats("blk.0.attn_q.weight", 12, 2), floats("blk.0.attn_k.weight", 6, 1), floats("blk.0.attn_v.weight", 6, 1),
		floats("blk.0.attn_q.bias", 12), floats("blk.0.attn_k.bias", 6), floats("blk.1.attn_q.weight", 4, 40_000),
		gguftest.Tensor{Name: "blk.0.other", Type: ggufF32, Dims: []uint64{1}, Data: counting(4)}))
	at := s.Scope().In("model.layers.0.self_attn")
	head := []int{0, 2, 4, 1, 3, 5}
	var rows, pairs []int // of both heads
	for h := range 2 {
		for _, r := range head {
			rows = append(rows, 6*h+r)
			pairs = append(pairs, 2*(6*h+r), 2*(6*h+r)+1)
		}
	}
	for _, c := range []struct {
		w    *engine.Tensor
		want []int
	}{
		{at.Matrix("q_proj.weight", 12, 2), pairs},
		{at.Matrix("k_proj.weight", 6, 1), head},
		{at.Matrix("v_proj.weight", 6, 1), []int{0, 1, 2, 3, 4, 5}},
		{at.Vector("q_proj.bias", 12), rows},
		{at.Vector("k_proj.bias", 6), head},
		{at.Rows("q_proj.weight", 12, 2, [2]int{3, 5}), pairs[6:10]},
		{at.VectorPart("q_proj.bias", 12, [2]int{5, 8}), rows[5:8]},
	} {
		if got := elements(t, c.w); !slices.Equal(got, c.want) {
			t.Errorf("%s is %v instead of %v", c.w.Name, got, c.want)
		}
	}
	must(t, at.Err())
	large, err := s.Tensor("model.layers.1.self_attn.q_proj.weight")
	must(t, err)
	p := make([]byte, large.Bytes())
	must(t, readFull(large.Source(), p, 0))
	for row, from := range []int{0, 1, 2, 3} { // heads of one pair: nothing moves
		if got := int(p[row*160_000]) | int(p[row*160_000+1])<<8 | int(p[row*160_000+2])<<16; got != from*40_000 {
			t.Errorf("row %d begins with %d", row, got)
		}
	}
}

// TestHeadOrderOfBlocks checks it for rows in blocks, of a size that takes
// several reads.
func TestHeadOrderOfBlocks(t *testing.T) {
	const rows, cols = 2 * 128, 32 * 120
	const rowBytes = cols / 32 * 34
	q := gguftest.Tensor{Name: "blk.0.attn_q.weight", Type: ggufQ8_0, Dims: []uint64{cols, rows}}
	for i := range rows {
		q.Data = append(q.Data, slices.Repeat([]byte{byte(i)}, rowBytes)...)
	}
	w, err := openGGUFBytes(t, model("smollm3", q)).Tensor("model.layers.0.self_attn.q_proj.weight")
	must(t, err)
	for _, block := range []int{1, 7, 64, 100, rows} { // rows that are read at once
		for first := 0; first < rows; first += block {
			p := make([]byte, min(block, rows-first)*rowBytes)
			must(t, readFull(w.Source(), p, int64(first)*rowBytes))
			for i := range p {
				row := first + i/rowBytes
				if want := row/128*128 + row%64*2 + row/64%2; p[i] != byte(want) {
					t.Fatalf("row %d, read with %d others, is row %d of the file instead of %d", row, block, p[i], want)
				}
			}
		}
	}
}

// TestHeadsOfLayers opens a model whose layers have different numbers of heads.
func TestHeadsOfLayers(t *testing.T) {
	s := openGGUFBytes(t, gguftest.File([]gguftest.Pair{
		{Key: "general.architecture", Value: "llama"},
		{Key: "llama.attention.head_count", Value: []int32{1, 3}},
	}, []gguftest.Tensor{floats("blk.0.attn_q.weight", 12, 1), floats("blk.1.attn_k.weight", 12, 1)}))
	for name, want := range map[string][]int{
		"model.layers.0.self_attn.q_proj.weight": {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11},
		"model.layers.1.self_attn.k_proj.weight": {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11},
	} {
		w, err := s.Tensor(name)
		must(t, err)
		if got := elements(t, w); !slices.Equal(got, want) {
			t.Errorf("%s is %v", name, got)
		}
	}
}

// TestFusedParts checks that queries, keys and values that are stored as one
// come as three where the architecture has three names.
func TestFusedParts(t *testing.T) {
	for architecture, want := range map[string][3][]int{
		"phi2":  {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}},
		"llama": {{0, 2, 1, 3, 4, 6, 5, 7}, {8, 10, 9, 11}, {12, 13, 14, 15}},
	} {
		s := openGGUFBytes(t, model(architecture, floats("blk.0.attn_qkv.weight", 16, 1), floats("blk.0.attn_qkv.bias", 16)))
		for i, name := range []string{"q_proj", "k_proj", "v_proj"} {
			for _, suffix := range []string{".weight", ".bias"} {
				w, err := s.Tensor("model.layers.0.self_attn." + name + suffix)
				must(t, err)
				if got := elements(t, w); !slices.Equal(got, want[i]) {
					t.Errorf("%s %s is %v", architecture, w.Name, got)
				}
			}
		}
		if len(s.Names()) != 6 || s.Bytes() != 128 {
			t.Errorf("%q, %d bytes", s.Names(), s.Bytes())
		}
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
		"nothing":                   {nil, "model.gguf is damaged: the beginning needs 4 bytes"},
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

// splitModel is a model in three parts, each tensor in its own; the last has two.
func splitModel() map[string][]byte {
	files := map[string][]byte{}
	for i, name := range []string{part1, part2, part3} {
		pairs := splitPairs(uint16(i), 3, 4)
		if i == 0 {
			pairs = append(pairs, gguftest.Pair{Key: "general.architecture", Value: "qwen2"})
		}
		tensors := []gguftest.Tensor{floats(fmt.Sprintf("blk.%d.attn_q.weight", i), i+2, 4)}
		if i == 2 {
			tensors = append(tensors, floats("output.weight", 3, 3))
		}
		files[name] = gguftest.File(pairs, tensors)
	}
	return files
}

func splitPairs(number, count uint16, tensors int32) []gguftest.Pair {
	return []gguftest.Pair{{Key: "split.no", Value: number}, {Key: "split.count", Value: count}, {Key: "split.tensors.count", Value: tensors}}
}

// TestSplit opens a model in parts from the name of each, and from its folder.
func TestSplit(t *testing.T) {
	for _, name := range []string{"", part1, part2, part3} {
		s := mustOpen(t, folder(splitModel()), Options{File: name})
		if names := s.Names(); len(names) != 4 || names[0] != "lm_head.weight" {
			t.Errorf("%s has %q", name, names)
		}
		if architecture, _ := s.Meta().String("general.architecture"); architecture != "qwen2" {
			t.Errorf("%s is of the architecture %q", name, architecture)
		}
		for i := range 3 {
			name := fmt.Sprintf("model.layers.%d.self_attn.q_proj.weight", i)
			w, err := s.Tensor(name)
			must(t, err)
			if info, _ := s.Info(name); len(elements(t, w)) != 4*(i+2) || info.File != []string{part1, part2, part3}[i] {
				t.Errorf("%s: %+v", name, info)
			}
		}
	}
	below := map[string][]byte{"other.txt": nil}
	for name, data := range splitModel() {
		below["Q4/"+name] = data
	}
	mustOpen(t, folder(below), Options{File: "Q4/" + part2})
	single := gguftest.File(splitPairs(0, 1, 1), []gguftest.Tensor{floats("a", 2)})
	mustOpen(t, folder(map[string][]byte{"a-00001-of-00001.gguf": single}), Options{})
	mustOpen(t, folder(map[string][]byte{"a.gguf": single}), Options{})
}

func TestSplitErrors(t *testing.T) {
	file := func(pairs []gguftest.Pair, names ...string) []byte {
		var tensors []gguftest.Tensor
		for _, n := range names {
			tensors = append(tensors, floats(n, 2, 4))
		}
		return gguftest.File(pairs, tensors)
	}
	cases := []struct {
		name   string
		change map[string][]byte // nil takes a file away
		open   string
		want   string
	}{
		{"the second is missing", map[string][]byte{part2: nil}, part1, "1 of the 3 parts of model are missing (" + part2 + ")"},
		{"the first is missing", map[string][]byte{part1: nil}, part3, "1 of the 3 parts of model are missing (" + part1 + ")"},
		{"the first is missing, found", map[string][]byte{part1: nil}, "", "are missing (" + part1 + ")"},
		{"two are missing", map[string][]byte{part1: nil, part3: nil}, part2, "2 of the 3 parts"},
		{"all are missing", map[string][]byte{part1: nil, part2: nil, part3: nil}, part2, part2 + " is missing"},
		{"another number", map[string][]byte{part2: file(splitPairs(2, 3, 4), "b")}, part1, part2 + " does not belong to " + part1},
		{"another number, opened", map[string][]byte{part2: file(splitPairs(2, 3, 4), "b")}, part2, "is part 3 of 3 of a model and must be named so"},
		{"another count", map[string][]byte{part3: file(splitPairs(2, 4, 4), "b")}, part1, part3 + " does not belong"},
		{"another count, opened", map[string][]byte{part3: file(splitPairs(2, 4, 4), "b")}, part3, "is part 3 of 4"},
		{"another number of tensors", map[string][]byte{part3: file(splitPairs(2, 3, 5), "b")}, part1, "with 5 tensors"},
		{"a tensor too few", map[string][]byte{part3: file(splitPairs(2, 3, 4), "b")}, part1, "it should hold 4 tensors, but there are 3"},
		{"a tensor too many", map[string][]byte{part3: file(splitPairs(2, 3, 4), "b", "c", "d")}, part1, "but there are 5"},
		{"a tensor twice", map[string][]byte{part3: file(splitPairs(2, 3, 4), "b", "blk.0.attn_q.weight")}, part1, "comes twice"},
		{"a part that says nothing", map[string][]byte{part2: file(nil, "b")}, part1, part2 + " does not belong"},
		{"a part that says nothing, opened", map[string][]byte{part2: file(nil, "b")}, part2, "is named like part 2 of 3, but does not say so itself"},
		{"a damaged part", map[string][]byte{part2: []byte("GGUF")}, part1, part2 + " is damaged"},
		{"a pickle as a part", map[string][]byte{part2: []byte("\x80\x04\x95")}, part1, "can run code"},
		{"no parts", map[string][]byte{part1: file(splitPairs(0, 0, 4), "b")}, part1, "it says that it is part 1 of 0"},
		{"many parts", map[string][]byte{part1: file(splitPairs(0, 65535, 4), "b")}, part1, "it says that it is part 1 of 65535"},
		{"beyond the last", map[string][]byte{part1: file(splitPairs(3, 3, 4), "b")}, part1, "it says that it is part 4 of 3"},
		{"before the first", map[string][]byte{part1: file([]gguftest.Pair{{Key: "split.no", Value: int16(-1)}, {Key: "split.count", Value: int16(3)}, {Key: "split.tensors.count", Value: int32(4)}}, "b")}, part1, "part 0 of 3"},
		{"a count in words", map[string][]byte{part1: file([]gguftest.Pair{{Key: "split.count", Value: "three"}}, "b")}, part1, "an integer is wanted, but it is of the type string"},
		{"a count without a number", map[string][]byte{part1: file([]gguftest.Pair{{Key: "split.count", Value: uint16(3)}}, "b")}, part1, "it is missing"},
		{"another name", map[string][]byte{"a.gguf": splitModel()[part2]}, "a.gguf", "rename it to end in -00002-of-00003.gguf"},
		{"a name of fewer digits", map[string][]byte{"model-2-of-3.gguf": splitModel()[part2]}, "model-2-of-3.gguf", "rename it to end in -00002-of-00003.gguf"},
		{"parts of two models", map[string][]byte{"other-00001-of-00003.gguf": nil, "b.gguf": file(nil, "b")}, "", "several GGUF files"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := splitModel()
			for name, data := range c.change {
				if files[name] = data; data == nil {
					delete(files, name)
				}
			}
			refused(t, folder(files), Options{File: c.open}, c.want)
		})
	}
}

// TestFailedPartsAreClosed checks that no file stays open after an error.
func TestFailedPartsAreClosed(t *testing.T) {
	for _, broken := range []string{"", part1, part2, part3} {
		files := splitModel()
		if broken != "" {
			files[broken] = files[broken][:len(files[broken])-40]
		}
		counted := &countingFS{FS: folder(files)}
		s, err := Open(counted, Options{File: part2})
		if (err == nil) != (broken == "") {
			t.Fatal(broken, err)
		}
		if err == nil {
			must(t, s.Close())
		}
		if counted.opened == 0 || counted.opened != counted.closed {
			t.Errorf("with %q broken, %d files were opened and %d closed", broken, counted.opened, counted.closed)
		}
	}
}

// TestSplitStaysInside opens parts on a disk of which one is a link out of the folder.
func TestSplitStaysInside(t *testing.T) {
	dir := t.TempDir()
	for name, data := range splitModel() {
		write(t, filepath.Join(dir, "model", name), data)
	}
	write(t, filepath.Join(dir, part2), splitModel()[part2])
	must(t, os.Remove(filepath.Join(dir, "model", part2)))
	link(t, "../"+part2, filepath.Join(dir, "model", part2))
	root, err := os.OpenRoot(filepath.Join(dir, "model"))
	must(t, err)
	defer root.Close()
	refused(t, root.FS(), Options{File: part1}, "path escapes from parent")
	refused(t, root.FS(), Options{File: "../" + part2}, "not the name of a file inside")
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
