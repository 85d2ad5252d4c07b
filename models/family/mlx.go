package family

import (
	"encoding/json"
	"fmt"
	"slices"

	"inglenook/weights"
)

// readable lists the families, by model_type, whose tensors are found as MLX stores them.
// Some it stores under other names than Hugging Face.
var readable = []string{
	"llama", "mistral", "ministral3", "granite", "qwen2", "qwen3", "qwen3_moe", "qwen3_5_text", "qwen3_5_moe_text", "olmo2", "olmo3", "glm4",
	"ernie4_5", "exaone4", "hunyuan_v1_dense", "cohere", "cohere2", "smollm3", "phi", "phi3", "stablelm", "gemma", "gemma2", "gemma3_text",
	"gemma4_text", "gemma4_unified_text", "gpt_oss", "lfm2", "lfm2_moe",
}

// maxPackings bounds how many matrices a config.json may name.
const maxPackings = 1 << 17

// Packing reads how MLX quantized the weights; nil if it did not. Its second result says
// what is not read of that.
func (f *Fields) Packing() (*weights.Packing, string) {
	if f.Quantizer() != "MLX" {
		return nil, ""
	}
	q, ok := f.Values["quantization"].(map[string]any)
	if !ok {
		q, _ = f.Values["quantization_config"].(map[string]any)
	}
	p := &weights.Packing{Usual: groups(q), Of: map[string]weights.Groups{}}
	if !p.Usual.Known() {
		return nil, p.Usual.String()
	}
	for name, v := range q {
		differs, is := v.(map[string]any)
		if !is {
			continue
		}
		g := groups(differs)
		if !g.Known() || len(p.Of) == maxPackings {
			return nil, g.String()
		}
		p.Of[name] = g
	}
	if kind := f.Text("model_type"); !slices.Contains(readable, kind) {
		return nil, fmt.Sprintf("MLX for a %s model", kind)
	}
	return p, ""
}

// groups reads the description of one matrix, or of the usual one. What is not stated is
// as MLX takes it.
func groups(q map[string]any) weights.Groups {
	g := weights.Groups{Mode: "affine", Bits: 4, Size: 64}
	if mode, is := q["mode"].(string); is {
		g.Mode = mode
	}
	if g.Mode != "affine" {
		g.Size = 32
	}
	for name, to := range map[string]*int{"bits": &g.Bits, "group_size": &g.Size} {
		if v, there := q[name]; there {
			*to = small(v)
		}
	}
	return g
}

// small returns a whole number up to 1024, else 0.
func small(v any) int {
	number, _ := v.(json.Number)
	n, err := number.Int64()
	if err != nil || n < 0 || n > 1024 {
		return 0
	}
	return int(n)
}
