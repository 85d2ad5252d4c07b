package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/models/family"
)

// small returns a valid BERT config, which the tests change.
func small() map[string]any {
	return map[string]any{
		"architectures": []string{"BertModel"}, "model_type": "bert", "vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2,
		"num_attention_heads": 4, "intermediate_size": 64, "max_position_embeddings": 128,
	}
}

func parse(t *testing.T, change map[string]any) (Config, error) {
	t.Helper()
	m := small()
	maps.Copy(m, change)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return ParseConfig(data)
}

func TestConfigSpellings(t *testing.T) {
	for name, c := range map[string]struct {
		json string
		want Config
	}{
		"today": {
			`{"architectures":["BertForSequenceClassification"],"model_type":"bert","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,
			  "intermediate_size":16,"max_position_embeddings":20,"hidden_act":"gelu_new","layer_norm_eps":1e-7,"id2label":{"0":"a","1":"b","2":"c"},"dtype":"float32"}`,
			Config{
				Architecture: "BertForSequenceClassification", ModelType: "bert", Head: family.Logits, Vocab: 10, Hidden: 8, Layers: 1, Heads: 2, Intermediate: 16,
				Positions: 20, MaxTokens: 20, TypeVocab: 2, Labels: 3, Epsilon: 1e-7, Activation: engine.GELUTanh, Design: "encoders.bertDesign",
			},
		},
		"model_type alone": {
			`{"model_type":"bert","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":16,"max_position_embeddings":20,"type_vocab_size":2.0}`,
			Config{
				Architecture: "BertModel", ModelType: "bert", Vocab: 10, Hidden: 8, Layers: 1, Heads: 2, Intermediate: 16, Positions: 20, MaxTokens: 20,
				TypeVocab: 2, Labels: 2, Epsilon: 1e-12, Activation: engine.GELU, Design: "encoders.bertDesign",
			},
		},
		"distilbert": {
			`{"architectures":["DistilBertModel"],"model_type":"distilbert","vocab_size":10,"dim":8,"n_layers":1,"n_heads":2,"hidden_dim":16,"max_position_embeddings":20,"activation":"relu"}`,
			Config{
				Architecture: "DistilBertModel", ModelType: "distilbert", Vocab: 10, Hidden: 8, Layers: 1, Heads: 2, Intermediate: 16, Positions: 20, MaxTokens: 20,
				Labels: 2, Epsilon: 1e-12, Activation: engine.ReLU, Design: "encoders.distilBERTDesign",
			},
		},
		"roberta": {
			`{"architectures":["RobertaModel"],"model_type":"roberta","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":16,
			  "max_position_embeddings":20,"type_vocab_size":1,"layer_norm_eps":1e-5,"num_labels":1}`,
			Config{
				Architecture: "RobertaModel", ModelType: "roberta", Vocab: 10, Hidden: 8, Layers: 1, Heads: 2, Intermediate: 16, Positions: 20, MaxTokens: 18,
				TypeVocab: 1, PadID: 1, Labels: 1, Epsilon: 1e-5, Activation: engine.GELU, Design: "encoders.robertaDesign",
			},
		},
		"mpnet": {
			`{"architectures":["MPNetModel"],"model_type":"mpnet","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":16,
			  "max_position_embeddings":20,"relative_attention_num_buckets":32}`,
			Config{
				Architecture: "MPNetModel", ModelType: "mpnet", Vocab: 10, Hidden: 8, Layers: 1, Heads: 2, Intermediate: 16, Positions: 20, MaxTokens: 18,
				PadID: 1, Labels: 2, Epsilon: 1e-12, Activation: engine.GELU, Design: "encoders.mpnetDesign",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseConfig([]byte(c.json))
			if err != nil {
				t.Fatal(err)
			}
			got.Design = fmt.Sprintf("%T", got.Design)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// TestConfigArchitectures: each architecture is loaded as its family, or refused.
func TestConfigArchitectures(t *testing.T) {
	type change = map[string]any
	for _, c := range []struct {
		architecture, modelType string
		change                  change
		want                    string // "": refused
	}{
		{"LLaMAForCausalLM", "llama", nil, "LlamaForCausalLM"},
		{"LLaMAForCausalLM", "", nil, "LlamaForCausalLM"},
		{"", "", change{"architectures": "BertForSequenceClassification"}, "BertForSequenceClassification"},
		{"YiForCausalLM", "llama", nil, "LlamaForCausalLM"},
		{"GPT2ForCausalLM", "gpt2", change{"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}, "GPT2LMHeadModel"},
		{"LlamaForSequenceClassification", "llama", nil, ""},
		{"LlamaModel", "llama", nil, "LlamaModel"},
		{"Qwen3Model", "", nil, "Qwen3Model"},
		{"LlamaBidirectionalModel", "llama", nil, ""},
		{"YiForCausalLM", "yi", nil, ""},
		{"OwnForCausalLM", "llama", change{"auto_map": change{"AutoModelForCausalLM": "own.Own"}}, ""},
		{"LlamaForCausalLM", "llama", change{"auto_map": change{"AutoModelForCausalLM": "own.Own"}}, "LlamaForCausalLM"},
		{"BertForTokenClassification", "bert", nil, "BertForTokenClassification"},
		{"BertForQuestionAnswering", "bert", nil, "BertModel"},
		{"XLMRobertaForTokenClassification", "xlm-roberta", nil, "XLMRobertaForTokenClassification"},
		{"BertLMHeadModel", "bert", nil, ""},
		{"LlavaForCausalLM", "bert", nil, ""},
		{"JinaBertForQuestionAnswering", "bert", change{"auto_map": change{"AutoModel": "own.Own"}}, ""},
	} {
		m := change{"architectures": []string{c.architecture}, "model_type": c.modelType}
		maps.Copy(m, c.change)
		got, err := parse(t, m)
		if got.Architecture != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of type %q: %q, %v, want %q", c.architecture, c.modelType, got.Architecture, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "is not supported; ") {
			t.Errorf("%s of type %q: the message is %q", c.architecture, c.modelType, err)
		}
	}
}

// TestConfigOfPython: NaN and Infinity, which Python writes, are errors only in keys
// that are read.
func TestConfigOfPython(t *testing.T) {
	valid, err := json.Marshal(small())
	if err != nil {
		t.Fatal(err)
	}
	with := func(s string) []byte { return append([]byte("{"+s+","), valid[1:]...) }
	for _, ok := range []string{
		`"time_step_limit": [0.0, Infinity]`, `"a": NaN`, `"a": -Infinity`, `"a": {"b": [NaN, -Infinity, "Infinity"]}`, `"a": "\" Infinity, NaN"`, `"Infinity": -1`,
		`"pad_token_id": -1`, `"pad_token_id": null`, `"pad_token_id": "none"`,
	} {
		if _, err := ParseConfig(with(ok)); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	for bad, say := range map[string]string{
		`"layer_norm_eps": NaN`: `layer_norm_eps is "NaN", not a number`, `"type_vocab_size": Infinity`: `type_vocab_size is "Infinity", not a number`,
		`"a": Inf`: "not valid JSON", `"a": -Inf`: "not valid JSON", `"a": Nan`: "not valid JSON", `"a": NaNs`: "not valid JSON",
	} {
		if _, err := ParseConfig(with(bad)); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: the message is %v, want it to hold %q", bad, err, say)
		}
	}
}

// TestConfigRefusals: each hostile value is refused with one sentence.
func TestConfigRefusals(t *testing.T) {
	type change = map[string]any
	cases := []struct {
		change change
		say    string
	}{
		{change{"architectures": []string{"LlavaForCausalLM"}}, `"LlavaForCausalLM" is not supported`},
		{change{"architectures": nil, "model_type": "whisper"}, `"whisper" is not supported`},
		{change{"architectures": nil, "model_type": nil}, "names neither"},
		{change{"architectures": []int{3}, "model_type": "bert"}, "architectures holds 3"},
		{change{"architectures": 3}, "architectures holds 3"},
		{change{"architectures": change{}}, "architectures holds {}"},
		{change{"is_decoder": "yes"}, "is_decoder is \"yes\", neither true nor false"},
		{change{"id2label": []string{"a", "b"}}, "id2label is [\"a\",\"b\"], not an object"},
		{change{"model_type": 7}, "model_type is 7, not a text"},
		{change{"is_decoder": true}, "is_decoder"},
		{change{"position_embedding_type": "fourier"}, `"fourier" is not supported (only "absolute", "relative_key" and "relative_key_query")`},
		{change{"architectures": []string{"AlbertModel"}, "position_embedding_type": "relative_key"}, `"relative_key" is not supported`},
		{change{"num_attention_heads": 5}, "32 hidden columns do not divide into 5"},
		{change{"hidden_act": "mish"}, `hidden_act "mish" is not supported (only "gelu", `},
		{change{"architectures": []string{"CLIPForImageClassification"}, "model_type": "clip"}, `the head of "CLIPForImageClassification" is not supported (only "CLIPModel"`},
		{change{"architectures": []string{"T5ForQuestionAnswering"}, "model_type": "t5"}, `"T5ForQuestionAnswering" is not supported; of the family "t5" these are: "T5ForConditionalGeneration"`},
		{change{"hidden_act": 3}, "hidden_act 3"},
		{change{"layer_norm_eps": 0}, "layer_norm_eps"},
		{change{"layer_norm_eps": -1e-5}, "layer_norm_eps"},
		{change{"layer_norm_eps": 1e9}, "layer_norm_eps"},
		{change{"layer_norm_eps": "small"}, "layer_norm_eps"},
		{change{"architectures": []string{"RobertaModel"}, "pad_token_id": -1}, "pad_token_id is -1"},
		{change{"type_vocab_size": -1}, "type_vocab_size is -1"},
		{change{"architectures": []string{"RobertaModel"}, "max_position_embeddings": 2}, "leave no room"},
		{change{"architectures": []string{"RobertaModel"}, "pad_token_id": 400}, "leave no room"},
		{change{"architectures": []string{"MPNetModel"}, "relative_attention_num_buckets": 7}, "buckets is 7"},
		{change{"architectures": []string{"MPNetModel"}, "relative_attention_num_buckets": 9000}, "buckets is 9000"},
		{change{"num_labels": -2}, "num_labels is -2"},
		{change{"architectures": []string{"Gemma3TextModel"}}, "use_bidirectional_attention is not set"},
		{change{"architectures": []string{"Gemma3TextModel"}, "use_bidirectional_attention": true, "attn_logit_softcapping": 50}, "attn_logit_softcapping is set"},
		{change{"architectures": []string{"Gemma3TextModel"}, "use_bidirectional_attention": true, "num_key_value_heads": 3}, "do not divide into 3 groups"},
		{change{"architectures": []string{"ModernBertModel"}, "local_attention": 0}, "local_attention is 0"},
		{change{"architectures": []string{"ModernBertModel"}, "global_attn_every_n_layers": 0}, "global_attn_every_n_layers is 0"},
		{change{"architectures": []string{"ModernBertModel"}, "rope_scaling": change{"type": "yarn"}}, "rope_scaling is set"},
		{change{"architectures": []string{"ModernBertModel"}, "classifier_pooling": "late"}, `classifier_pooling "late" is not supported`},
		{change{"architectures": []string{"DebertaV2Model"}}, "relative_attention is not set"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true}, "pos_att_type is empty"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p|p2p"}, `pos_att_type "p2p" is not supported`},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": []any{"c2p", 3}}, `pos_att_type "" is not supported`},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": 3}, "pos_att_type is 3, neither a list nor a text"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p", "position_buckets": 3}, "position_buckets is 3, which does not fit"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p", "position_buckets": 64, "max_relative_positions": 33}, "position_buckets is 64, which does not fit 33"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p", "conv_kernel_size": 4}, "conv_kernel_size is 4, which is not odd"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p", "conv_kernel_size": 3, "conv_groups": 2}, "conv_groups is not 1"},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p", "conv_kernel_size": 3, "conv_act": "mish"}, `conv_act "mish" is not supported`},
		{change{"architectures": []string{"DebertaV2Model"}, "relative_attention": true, "pos_att_type": "c2p", "embedding_size": 7}, "embedding_size differs from hidden_size"},
		{change{"architectures": []string{"DebertaModel"}, "relative_attention": true, "pos_att_type": "c2p", "talking_head": true}, "talking_head is set"},
		{change{"architectures": []string{"NomicBertModel"}, "moe_every_n_layers": 2}, "num_experts is missing"},
		{change{"architectures": []string{"NomicBertModel"}, "moe_every_n_layers": 2, "num_experts": 4}, "moe_every_n_layers is set beside gated feed-forward parts"},
		{change{"architectures": []string{"NomicBertModel"}, "activation_function": "gelu", "moe_every_n_layers": 2, "num_experts": 4, "moe_top_k": 5}, "moe_top_k is 5 of 4 experts"},
		{change{"architectures": []string{"NomicBertModel"}, "activation_function": "gelu", "moe_every_n_layers": 2, "num_experts": 4, "num_shared_experts": 1}, "num_shared_experts is set"},
		{change{"architectures": []string{"NomicBertModel"}, "expert_choice_router": true}, "expert_choice_router is set"},
		{change{"architectures": []string{"XLMRobertaModel"}, "position_embedding_type": "rotary", "lora_adaptations": "a"}, "lora_adaptations is \"a\", not a list"},
		{change{"architectures": []string{"XLMRobertaModel"}, "position_embedding_type": "rotary", "lora_adaptations": []any{"a", 3}}, "lora_adaptations holds 3, not a text"},
		{change{"architectures": []string{"XLMRobertaModel"}, "position_embedding_type": "rotary", "lora_adaptations": []any{"a"}, "lora_rank": 0}, "lora_rank is 0"},
		{change{"architectures": []string{"SiglipModel"}}, "vision_config is missing"},
		{change{"architectures": []string{"SiglipModel"}, "vision_config": change{"hidden_size": 24}, "text_config": change{"hidden_size": 36}}, "vectors of texts have 36 columns and those of pictures 24"},
		{change{"architectures": []string{"SiglipTextModel"}, "projection_size": 0}, "projection_size is 0"},
		{change{"architectures": []string{"NomicBertModel"}, "activation_function": "geglu"}, `activation_function "geglu" is not supported`},
		{change{"architectures": []string{"JinaBertModel"}}, "position_embedding_type is missing"},
		{change{"architectures": []string{"JinaBertModel"}, "position_embedding_type": "alibi"}, `feed_forward_type "" is not supported`},
		{change{"architectures": []string{"JinaBertModel"}, "position_embedding_type": "alibi", "feed_forward_type": "gelu"}, `feed_forward_type "gelu" is not supported`},
		{change{"architectures": []string{"NomicBertModel"}, "prenorm": true}, "prenorm is set"},
		{change{"architectures": []string{"NomicBertModel"}, "rotary_emb_fraction": 0.5}, "rotary_emb_fraction is below 1"},
		{change{"architectures": []string{"NomicBertModel"}, "rotary_emb_scale_base": 512}, "rotary_emb_scale_base is set"},
		{change{"architectures": []string{"NewModel"}, "position_embedding_type": "absolute"}, `"absolute" is not supported (only "rope")`},
		{change{"architectures": []string{"NewModel"}, "layer_norm_type": "rms_norm"}, `layer_norm_type "rms_norm" is not supported`},
		{change{"architectures": []string{"NewModel"}, "logn_attention_scale": true}, "logn_attention_scale is set"},
		{change{"architectures": []string{"NewModel"}, "pack_qkv": false}, "pack_qkv is off"},
		{change{"architectures": []string{"NewModel"}, "rope_scaling": change{"type": "ntk", "factor": 2, "mixed_b": 0.5}}, "mixed_b is set"},
		{change{"architectures": []string{"NewModel"}, "rope_scaling": change{"type": "ntk", "factor": 0}}, "rope_scaling: factor is 0"},
		{change{"architectures": []string{"LlamaForCausalLM"}, "rope_scaling": change{"type": "ntk", "factor": 2}}, `rope type "ntk" is not supported`},
		{change{"architectures": []string{"ElectraModel"}, "embedding_size": 0}, "embedding_size is 0"},
		{change{"architectures": []string{"ElectraModel"}, "position_embedding_type": "rotary"}, `"rotary" is not supported`},
		{change{"architectures": []string{"AlbertModel"}, "num_hidden_groups": 0}, "num_hidden_groups (0)"},
		{change{"architectures": []string{"AlbertModel"}, "num_hidden_groups": 9}, "num_hidden_groups (9)"},
		{change{"architectures": []string{"AlbertModel"}, "inner_group_num": 0}, "inner_group_num is 0"},
		{change{"architectures": []string{"AlbertModel"}, "inner_group_num": 1000}, "inner_group_num is 1000"},
		{change{"architectures": []string{"EuroBertModel"}, "attention_bias": true}, "attention_bias is set"},
		{change{"architectures": []string{"EuroBertForSequenceClassification"}, "classifier_pooling": "max"}, `classifier_pooling "max" is not supported`},
	}
	for _, size := range []string{"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "max_position_embeddings"} {
		for _, bad := range []any{0, -1, 1 << 40, 1e300, 2.5, "32", true, []int{32}, map[string]int{"a": 1}, nil, json.Number("99999999999999999999999")} {
			if bad == nil && size == "max_position_embeddings" {
				continue // assumed
			}
			cases = append(cases, struct {
				change change
				say    string
			}{change{size: bad}, size})
		}
	}
	for _, c := range cases {
		_, err := parse(t, c.change)
		if err == nil {
			t.Errorf("%v: accepted", c.change)
			continue
		}
		if s := err.Error(); !strings.Contains(s, c.say) || strings.Contains(s, "\n") || len(s) > 300 {
			t.Errorf("%v: the message is %q, want it to hold %q", c.change, s, c.say)
		}
	}
}

func TestConfigNotJSON(t *testing.T) {
	valid, err := json.Marshal(small())
	if err != nil {
		t.Fatal(err)
	}
	for i := range valid {
		if _, err := ParseConfig(valid[:i]); err == nil {
			t.Errorf("cut after %d bytes: accepted", i)
		}
	}
	for _, bad := range []string{"null", "[]", "3", `"x"`, string(valid) + "x", string(valid) + string(valid), strings.Repeat(`{"a":`, 100000), "\x00", "{\"a\":\xff}"} {
		if _, err := ParseConfig([]byte(bad)); err == nil {
			t.Errorf("%.40q: accepted", bad)
		}
	}
}

func FuzzConfig(f *testing.F) {
	valid, err := json.Marshal(small())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(valid)
	for _, family := range families {
		for _, arch := range family.Architectures {
			f.Add([]byte(strings.Replace(string(valid), "BertModel", arch, 1)))
		}
	}
	for _, m := range decoderConfigs(f) {
		data, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, name := range []string{"qwen3", "llama-mxfp4"} {
		data, err := os.ReadFile("testdata/mlx/" + name + "/config.json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(data)
		if err != nil {
			return
		}
		sense(t, c)
		if p := c.Packing; p != nil {
			for name, g := range p.Of {
				if !g.Known() {
					t.Errorf("%q: %v was accepted", name, g)
				}
			}
			if !p.Usual.Known() {
				t.Errorf("%v was accepted", p.Usual)
			}
		}
	})
}
