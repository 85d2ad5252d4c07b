package weights

import (
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/weights/gguf/gguftest"
)

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
	for row, from := range []int{0, 1, 2, 3} { // heads of one pair: the order stays
		if got := int(p[row*160_000]) | int(p[row*160_000+1])<<8 | int(p[row*160_000+2])<<16; got != from*40_000 {
			t.Errorf("row %d begins with %d", row, got)
		}
	}
}

// TestHeadOrderOfBlocks checks it for rows in blocks, with more rows than one read takes.
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

// TestFusedParts checks that queries, keys and values that are stored as one tensor
// become three if the architecture has three names.
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
