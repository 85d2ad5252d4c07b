package models_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/models"
	"inglenook/weights"
	"inglenook/weights/gguf"
	"inglenook/weights/gguf/gguftest"
)

// TestGGUFParity compares files of llama.cpp's converter with the reference library's
// logits.
func TestGGUFParity(t *testing.T) {
	files, err := filepath.Glob("testdata/gguf/*/expected.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no GGUF files under testdata (%v)", err)
	}
	b := &enginetest.ReferenceBackend{}
	for _, f := range files {
		dir := filepath.Dir(f)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want expected
			readJSON(t, f, &want)
			m, err := openGGUF(t, os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 2e-5
			if filepath.Base(dir) == "qwen35moe" {
				tolerance = 1e-4 // norms of small numbers magnify the reference's own rounding
			}
			for _, w := range want.Cases {
				if d := difference(whole(t, b, m, w.IDs), w.Data); !(d <= tolerance) {
					t.Errorf("%d tokens: differs by %.2g", len(w.IDs), d)
				}
			}
		})
	}
}

// TestGemmaGGUF reads the first Gemma from a file like llama.cpp's converter writes it:
// with its names, and 1 added to the weights of norms.
func TestGemmaGGUF(t *testing.T) {
	const dir = "testdata/decoders/gemma"
	set, err := weights.Open(os.DirFS(dir), weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	names := strings.NewReplacer("model.layers.", "blk.", "model.embed_tokens", "token_embd", "model.norm", "output_norm", "input_layernorm", "attn_norm",
		"post_attention_layernorm", "ffn_norm", "self_attn.q_proj", "attn_q", "self_attn.k_proj", "attn_k", "self_attn.v_proj", "attn_v", "self_attn.o_proj", "attn_output",
		"mlp.gate_proj", "ffn_gate", "mlp.up_proj", "ffn_up", "mlp.down_proj", "ffn_down")
	s := smallGGUF()
	s.rename("gemma")
	s.tensors = nil
	for key, n := range map[string]uint32{
		"context_length": 64, "embedding_length": 32, "feed_forward_length": 48, "attention.head_count": 4, "attention.head_count_kv": 2, "attention.key_length": 16,
		"attention.value_length": 16, "rope.dimension_count": 16, "vocab_size": 64,
	} {
		s.set("gemma."+key, n)
	}
	s.set("gemma.attention.layer_norm_rms_epsilon", float32(1e-6))
	s.set("tokenizer.ggml.tokens", nil)
	for _, name := range set.Names() {
		w, err := set.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		half := make([]byte, w.Bytes())
		if _, err := w.Source().ReadAt(half, 0); err != nil {
			t.Fatal(err)
		}
		var data []byte
		for i := 0; i < len(half); i += 2 {
			x := engine.F16ToF32(binary.LittleEndian.Uint16(half[i:]))
			if strings.Contains(name, "norm") {
				x++
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		dims := []uint64{uint64(w.Cols), uint64(w.Rows)}
		if w.Rows == 1 {
			dims = dims[:1]
		}
		s.tensors = append(s.tensors, gguftest.Tensor{Name: names.Replace(name), Dims: dims, Data: data})
	}
	m, err := openGGUF(t, fstest.MapFS{"model.gguf": {Data: s.file()}})
	if err != nil {
		t.Fatal(err)
	}
	var want expected
	readJSON(t, dir+"/expected.json", &want)
	for _, w := range want.Cases {
		if d := difference(whole(t, &enginetest.ReferenceBackend{}, m, w.IDs), w.Data); !(d <= 2e-5) {
			t.Errorf("%d tokens: differs by %.2g", len(w.IDs), d)
		}
	}
}

// small is a GGUF file of two layers, which a test changes.
type small struct {
	pairs   []gguftest.Pair
	tensors []gguftest.Tensor
}

// smallGGUF is a valid file of 8 hidden columns, 2 heads, 1 group and 5 tokens.
func smallGGUF() *small {
	s := &small{pairs: []gguftest.Pair{
		{Key: "general.architecture", Value: "llama"},
		{Key: "llama.context_length", Value: uint32(32)},
		{Key: "llama.embedding_length", Value: uint32(8)},
		{Key: "llama.block_count", Value: uint32(2)},
		{Key: "llama.feed_forward_length", Value: uint32(12)},
		{Key: "llama.attention.head_count", Value: uint32(2)},
		{Key: "llama.attention.head_count_kv", Value: uint32(1)},
		{Key: "llama.attention.layer_norm_rms_epsilon", Value: float32(1e-5)},
		{Key: "llama.rope.dimension_count", Value: uint32(4)},
		{Key: "llama.rope.freq_base", Value: float32(10000)},
		{Key: "tokenizer.ggml.tokens", Value: []string{"a", "b", "c", "d", "e"}},
	}}
	s.tensor("token_embd.weight", 8, 5)
	s.tensor("output_norm.weight", 8)
	for i := range 2 {
		for name, dims := range map[string][]uint64{
			"attn_norm": {8}, "attn_q": {8, 8}, "attn_k": {8, 4}, "attn_v": {8, 4}, "attn_output": {8, 8}, "ffn_norm": {8},
			"ffn_gate": {8, 12}, "ffn_up": {8, 12}, "ffn_down": {12, 8},
		} {
			s.tensor(fmt.Sprintf("blk.%d.%s.weight", i, name), dims...)
		}
	}
	slices.SortFunc(s.tensors, func(a, b gguftest.Tensor) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// tensor replaces the tensor of that name by one of ones.
func (s *small) tensor(name string, dims ...uint64) {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	s.drop(name)
	s.tensors = append(s.tensors, gguftest.Tensor{Name: name, Dims: dims, Data: bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, n)})
}

func (s *small) drop(name string) {
	s.tensors = slices.DeleteFunc(s.tensors, func(t gguftest.Tensor) bool { return t.Name == name })
}

// set changes the value of a key; nil removes it.
func (s *small) set(key string, v any) {
	s.pairs = slices.DeleteFunc(s.pairs, func(p gguftest.Pair) bool { return p.Key == key })
	if v != nil {
		s.pairs = append(s.pairs, gguftest.Pair{Key: key, Value: v})
	}
}

// rename changes the file's architecture.
func (s *small) rename(architecture string) {
	for i, p := range s.pairs {
		if rest, ok := strings.CutPrefix(p.Key, "llama."); ok {
			s.pairs[i].Key = architecture + "." + rest
		}
	}
	s.set("general.architecture", architecture)
}

func (s *small) file() []byte { return gguftest.File(s.pairs, s.tensors) }

func TestGGUFRefusals(t *testing.T) {
	if _, err := openGGUF(t, fstest.MapFS{"model.gguf": {Data: smallGGUF().file()}}); err != nil {
		t.Fatalf("the file that the cases change is refused: %v", err)
	}
	key := func(k string, v any) func(*small) { return func(s *small) { s.set(k, v) } }
	other := func(architecture string, change func(*small)) func(*small) {
		return func(s *small) { s.rename(architecture); change(s) }
	}
	cases := map[string]struct {
		change func(*small)
		say    string
	}{
		"no architecture":              {key("general.architecture", nil), "general.architecture"},
		"an architecture that is none": {key("general.architecture", uint32(3)), "general.architecture"},
		"an unknown architecture":      {key("general.architecture", "hearth"), `"hearth", which is not supported`},
		"one that comes later":         {key("general.architecture", "mamba"), `"mamba", which has Mamba layers, and this version does not support those yet`},
		"a tower for pictures":         {key("general.architecture", "clip"), "the part of a model that reads pictures or sound, and no model"},
		"an adapter":                   {key("general.type", "adapter"), "an adapter (LoRA), which changes another model, and no model"},
		"no layers stated":             {key("llama.block_count", nil), "llama.block_count is missing"},
		"layers as text":               {key("llama.block_count", "2"), "llama.block_count"},
		"no layer":                     {key("llama.block_count", uint32(0)), "llama.block_count is 0"},
		"negative layers":              {key("llama.block_count", int32(-2)), "llama.block_count is -2"},
		"many layers":                  {key("llama.block_count", uint32(1<<31)), "llama.block_count is 2147483648"},
		"more layers than stored":      {key("llama.block_count", uint32(3)), "9 tensors are missing"},
		"fewer layers than stored":     {key("llama.block_count", uint32(1)), "holds 2 layers, but its metadata say 1"},
		"half a layer":                 {key("llama.block_count", float32(2.5)), "llama.block_count"},
		"no width":                     {key("llama.embedding_length", nil), "llama.embedding_length is missing"},
		"a width of 0":                 {key("llama.embedding_length", uint32(0)), "llama.embedding_length is 0"},
		"a huge width":                 {key("llama.embedding_length", uint64(1)<<63), "llama.embedding_length"},
		"another width": {func(s *small) {
			s.set("llama.embedding_length", uint32(16))
			s.set("llama.rope.dimension_count", uint32(8))
		}, "model.embed_tokens.weight is [5 8] instead of [5 16]"},
		"a width that heads don't fit": {key("llama.embedding_length", uint32(9)), "9 hidden columns do not divide into 2"},
		"no heads stated":              {key("llama.attention.head_count", nil), "llama.attention.head_count"},
		"no heads":                     {key("llama.attention.head_count", uint32(0)), "llama.attention.head_count"},
		"more heads":                   {key("llama.attention.head_count", uint32(4)), "llama.rope.dimension_count is 4, but a head has 2 columns"},
		"heads that groups don't fit": {func(s *small) {
			s.set("llama.attention.head_count", uint32(2))
			s.set("llama.attention.head_count_kv", uint32(3))
		}, "3"},
		"no groups":                    {key("llama.attention.head_count_kv", uint32(0)), "llama.attention.head_count_kv"},
		"more groups than stored":      {key("llama.attention.head_count_kv", uint32(2)), "self_attn.k_proj"},
		"groups by layer":              {key("llama.attention.head_count_kv", []uint32{1, 2}), "differs between layers"},
		"groups of no layer":           {key("llama.attention.head_count_kv", []uint32{}), "llama.attention.head_count_kv"},
		"a feed-forward width of 0":    {key("llama.feed_forward_length", uint32(0)), "llama.feed_forward_length is 0"},
		"no feed-forward width":        {key("llama.feed_forward_length", nil), "llama.feed_forward_length is missing"},
		"another feed-forward width":   {key("llama.feed_forward_length", uint32(13)), "mlp.down_proj.weight"},
		"no context":                   {key("llama.context_length", nil), "llama.context_length is missing"},
		"a context of 0":               {key("llama.context_length", uint32(0)), "llama.context_length is 0"},
		"an endless context":           {key("llama.context_length", uint32(1<<31)), "llama.context_length is 2147483648"},
		"an epsilon of 0":              {key("llama.attention.layer_norm_rms_epsilon", float32(0)), "llama.attention.layer_norm_rms_epsilon"},
		"a negative epsilon":           {key("llama.attention.layer_norm_rms_epsilon", float32(-1)), "llama.attention.layer_norm_rms_epsilon"},
		"an epsilon that is no number": {key("llama.attention.layer_norm_rms_epsilon", "small"), "llama.attention.layer_norm_rms_epsilon"},
		"a huge head size": {func(s *small) {
			s.set("llama.attention.key_length", uint32(1<<20))
			s.set("llama.rope.dimension_count", nil)
		}, "llama.attention.key_length is 1048576"},
		"another head size":          {key("llama.attention.key_length", uint32(6)), "does not cover a whole head"},
		"values of another size":     {key("llama.attention.value_length", uint32(6)), "llama.attention.value_length is 6"},
		"a part of a head turns":     {key("llama.rope.dimension_count", uint32(2)), "does not cover a whole head"},
		"more than a head turns":     {key("llama.rope.dimension_count", uint32(6)), "llama.rope.dimension_count is 6"},
		"nothing turns":              {key("llama.rope.dimension_count", uint32(0)), "llama.rope.dimension_count is 0"},
		"a base of 0":                {key("llama.rope.freq_base", float32(0)), "llama.rope.freq_base is 0"},
		"a negative base":            {key("llama.rope.freq_base", float32(-10)), "llama.rope.freq_base is -10"},
		"a base that is no number":   {key("llama.rope.freq_base", "ten"), "llama.rope.freq_base"},
		"an unknown stretch":         {key("llama.rope.scaling.type", "magic"), `"magic", which is not supported`},
		"a stretch that is a number": {key("llama.rope.scaling.type", uint32(1)), "llama.rope.scaling.type"},
		"a negative stretch":         {key("llama.rope.scaling.factor", float32(-4)), "factor is -4"},
		"longrope without factors":   {key("llama.rope.scaling.type", "longrope"), "rope_factors_short.weight and rope_factors_long.weight are missing"},
		"yarn with a factor of 0": {func(s *small) {
			s.set("llama.rope.scaling.type", "yarn")
			s.set("llama.rope.scaling.original_context_length", uint32(0))
		}, "original_max_position_embeddings is 0"},
		"too few factors":         {func(s *small) { s.tensor("rope_freqs.weight", 1) }, "holds 1 numbers of type f32 instead of 2"},
		"factors of 0":            {func(s *small) { s.tensor("rope_freqs.weight", 2); clear(s.tensors[len(s.tensors)-1].Data) }, "holds 0, which cannot stretch"},
		"one kind of factors":     {func(s *small) { s.tensor("rope_factors_long.weight", 2) }, "but not the other"},
		"two stretches":           {func(s *small) { s.tensor("rope_freqs.weight", 2); s.set("llama.rope.scaling.factor", float32(4)) }, "stretched twice"},
		"experts":                 {key("llama.expert_count", uint32(8)), "mixtures of experts"},
		"both directions":         {key("llama.attention.causal", false), "both directions"},
		"tokens that are numbers": {key("tokenizer.ggml.tokens", []uint32{1, 2, 3}), "tokenizer.ggml.tokens"},
		"no tokens":               {key("tokenizer.ggml.tokens", []string{}), "tokenizer.ggml.tokens is 0"},
		"more tokens than stored": {key("tokenizer.ggml.tokens", []string{"a", "b", "c", "d", "e", "f"}), "model.embed_tokens.weight is [5 8] instead of [6 8]"},
		"no vocabulary":           {key("tokenizer.ggml.tokens", nil), "llama.vocab_size is missing"},
		"no word vectors":         {func(s *small) { s.drop("token_embd.weight") }, "model.embed_tokens.weight"},
		"no norm":                 {func(s *small) { s.drop("blk.1.ffn_norm.weight") }, "model.layers.1.post_attention_layernorm.weight"},
		"a head of another size":  {func(s *small) { s.tensor("output.weight", 8, 4) }, "lm_head.weight is [4 8] instead of [5 8]"},
		"a flat matrix":           {func(s *small) { s.tensor("blk.0.ffn_up.weight", 96) }, "mlp.up_proj.weight"},
		"a bias of another size":  {func(s *small) { s.tensor("blk.0.attn_q.bias", 4) }, "self_attn.q_proj.bias"},
		"a flag that is a number": {other("gptneox", key("gptneox.use_parallel_residual", uint32(1))), "gptneox.use_parallel_residual"},
		"a negative window":       {other("gemma2", key("gemma2.attention.sliding_window", int32(-4))), "gemma2.attention.sliding_window is -4"},
		"a cap that is no number": {other("gemma2", key("gemma2.attn_logit_softcapping", "high")), "gemma2.attn_logit_softcapping"},
		"a negative cap":          {other("gemma2", key("gemma2.final_logit_softcapping", float32(-30))), "gemma2.final_logit_softcapping is -30"},
		"windows for other layers": {other("gemma3", func(s *small) {
			s.set("gemma3.attention.sliding_window", uint32(4))
			s.set("gemma3.attention.sliding_window_pattern", []bool{true})
		}), "layer_types"},
		"a local base of 0":        {other("gemma3", key("gemma3.rope.freq_base_swa", float32(0))), "gemma3.rope.freq_base_swa is 0"},
		"another family's tensors": {other("gpt2", key("gpt2.attention.layer_norm_epsilon", float32(1e-5))), "tensors are missing"},
		"heads of fewer layers":    {other("lfm2", key("lfm2.attention.head_count_kv", []uint32{1})), "lfm2.attention.head_count_kv has 1 values for 2 layers"},
		"heads that differ":        {other("lfm2", key("lfm2.attention.head_count_kv", []uint32{1, 2})), "lfm2.attention.head_count_kv differs between layers that attend"},
		"a convolution of one row": {other("lfm2", func(s *small) {
			s.set("lfm2.attention.head_count_kv", []uint32{0, 1})
			s.set("lfm2.shortconv.l_cache", uint32(1))
		}), "lfm2.shortconv.l_cache is 1, but"},
		"a window beside convolutions": {other("lfm2", func(s *small) {
			s.set("lfm2.attention.head_count_kv", []uint32{0, 1})
			s.set("lfm2.attention.sliding_window", uint32(8))
		}), "lfm2.attention.sliding_window is set"},
		"queries that shrink": {other("mistral3", func(s *small) {
			s.set("mistral3.rope.scaling.type", "yarn")
			s.set("mistral3.attention.temperature_scale", float32(-1))
		}), "mistral3.attention.temperature_scale is -1"},
		"queries that grow without yarn": {other("mistral3", key("mistral3.attention.temperature_scale", float32(0.1))), "mistral3.attention.temperature_scale is set, but mistral3.rope.scaling.type is not"},
		"a multiplier of 0":              {other("granite", key("granite.residual_scale", float32(0))), "granite.residual_scale is 0"},
		"a multiplier that is a text":    {other("granite", key("granite.attention.scale", "x")), "granite.attention.scale"},
		"logits divided by 0":            {other("granite", key("granite.logit_scale", float32(0))), "granite.logit_scale is 0"},
		"norms of each head":             {other("stablelm", func(s *small) { s.tensor("blk.0.attn_q_norm.weight", 4, 2) }), "qk_layernorm"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := smallGGUF()
			c.change(s)
			_, err := openGGUF(t, fstest.MapFS{"model.gguf": {Data: s.file()}})
			if err == nil {
				t.Fatal("accepted")
			}
			if say := err.Error(); !strings.Contains(say, c.say) || strings.Contains(say, "\n") || len(say) > 1000 {
				t.Errorf("the message is %q, want it to hold %q", say, c.say)
			}
		})
	}
}

// TestGGUFMetadata sets every key to strange values in every architecture. The result
// is an error of one sentence or a possible config.
func TestGGUFMetadata(t *testing.T) {
	values := []any{
		nil, uint32(0), uint32(1), uint32(3), uint32(1 << 20), uint64(1) << 63, int32(-1), int64(-1) << 63, float32(0), float32(-1), float32(1e30), math.Inf(1), math.NaN(),
		true, false, "", "yarn",
		[]uint32{},
		[]uint32{2, 2},
		[]uint32{1, 2},
		[]int32{-3, -3},
		[]float32{0.5},
		[]bool{true, false},
		[]bool{true},
		[]string{},
		[]string{"x"},
	}
	keys := []string{
		"context_length", "embedding_length", "block_count", "feed_forward_length", "attention.head_count", "attention.head_count_kv", "attention.layer_norm_rms_epsilon",
		"attention.layer_norm_epsilon", "attention.key_length", "attention.value_length", "attention.sliding_window", "attention.sliding_window_pattern", "attention.causal",
		"rope.dimension_count", "rope.freq_base", "rope.freq_base_swa", "rope.scaling.type", "rope.scaling.factor", "rope.scale_linear", "rope.scaling.attn_factor",
		"rope.scaling.original_context_length", "rope.scaling.yarn_beta_fast", "use_parallel_residual", "attn_logit_softcapping", "final_logit_softcapping", "expert_count", "vocab_size",
		"attention.temperature_scale", "rope.scaling.yarn_log_multiplier", "attention.scale", "embedding_scale", "residual_scale", "logit_scale", "rope.scaling.finetuned",
	}
	scaled := []string{"context_length", "attention.key_length", "embedding_length", "attention.head_count", "attention.scale", "attention.sliding_window"} // and what they are read for, beside rope
	for _, architecture := range models.GGUFArchitectures() {
		for _, kind := range []string{"", "yarn", "longrope"} {
			for _, key := range keys {
				if kind != "" && !strings.HasPrefix(key, "rope.") && !slices.Contains(scaled, key) {
					continue
				}
				for _, v := range values {
					s := smallGGUF()
					s.tensors = nil
					s.rename(architecture)
					if kind != "" {
						s.set(architecture+".rope.scaling.type", kind)
					}
					s.set(architecture+"."+key, v)
					data := s.file()
					file, err := gguf.Read(bytes.NewReader(data), int64(len(data)))
					if err != nil {
						t.Fatal(err)
					}
					c, err := models.ConfigFromGGUF(file.Meta)
					if err == nil {
						checkSense(t, c)
					} else if say := err.Error(); strings.Contains(say, "\n") || len(say) > 300 {
						t.Errorf("%s: %s = %v: the message is %q", architecture, key, v, say)
					}
				}
			}
		}
	}
}

// FuzzGGUF: whatever a file contains, the result is an error or a model that can record
// a pass.
func FuzzGGUF(f *testing.F) {
	for _, architecture := range models.GGUFArchitectures() {
		s := smallGGUF()
		s.rename(architecture)
		s.set(architecture+".attention.sliding_window", uint32(3))
		f.Add(s.file())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gguf.Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		c, err := models.ConfigFromGGUF(file.Meta)
		if err != nil {
			return
		}
		checkSense(t, c)
		m, err := openGGUF(t, fstest.MapFS{"model.gguf": {Data: data}})
		if err != nil {
			return
		}
		cache, err := m.NewCache(engine.F32, 1)
		if err != nil {
			t.Fatal(err)
		}
		g := engine.NewGraph()
		defer g.Close()
		m.Forward(g, models.Input{Tokens: []int32{0}}, cache, nil, models.Logits)
		if err := g.Err(); err != nil {
			t.Errorf("a pass cannot be recorded: %v", err)
		}
	})
}

// checkSense fails the test if a config is impossible.
func checkSense(t *testing.T, c models.Config) {
	t.Helper()
	if c.Hidden < 1 || c.Vocab < 1 || c.Layers < 1 || c.Heads < 1 || c.KVHeads < 1 || c.Heads%c.KVHeads != 0 || c.HeadSize < 1 || c.Intermediate < 1 ||
		c.MaxTokens < 1 || len(c.Span) != c.Layers || !(c.Epsilon > 0) || !(c.ScoreScale > 0) {
		t.Fatalf("accepted sizes that cannot be: %+v", c)
	}
	for _, s := range c.Span {
		if s.Window < 0 || s.Rope != nil && (s.Rope.Dim < 1 || s.Rope.Dim > c.HeadSize || s.Rope.Theta < 1) {
			t.Fatalf("accepted a span that cannot be: %+v %+v", s, s.Rope)
		}
	}
}

// openGGUF loads the model of a folder that holds a GGUF file.
func openGGUF(t *testing.T, fsys fs.FS) (models.Decoder, error) {
	t.Helper()
	set, err := weights.Open(fsys, weights.Options{})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { set.Close() })
	c, err := models.ConfigFromGGUF(set.Meta())
	if err != nil {
		return nil, err
	}
	return models.LoadDecoder(c, set)
}
