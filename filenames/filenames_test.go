package filenames

import (
	"strings"
	"testing"
)

func TestQuant(t *testing.T) {
	for name, want := range map[string]string{
		"qwen2.5-0.5b-instruct-q4_k_m.gguf": "Q4_K_M", "a/b.Q8_0.gguf": "Q8_0", "x-IQ4_XS.gguf": "IQ4_XS", "x-bf16.gguf": "BF16",
		"x.gguf": "", "quartz.gguf": "", "x-Q4_K_M-00001-of-00002.gguf": "Q4_K_M", "m_f32.gguf": "F32",
		"GLM-MXFP4_MOE.gguf": "MXFP4", "x-UD-Q4_K_XL.gguf": "Q4_K_XL", "x-UD-IQ4_NL_XL.gguf": "IQ4_NL", "x-Q6_K_P.gguf": "Q6_K_P",
		"x-UD-TQ1_0.gguf": "TQ1_0", "Bonsai-Q1_0.gguf": "Q1_0", "x-NVFP4.gguf": "NVFP4", "x-FP8-Q4_K_M.gguf": "Q4_K_M", "x-Q2_K.gguf": "Q2_K",
		"x-Q4_0_4_4.gguf": "", "x-UD-IQ2_M.gguf": "IQ2_M",
	} {
		if got := Quant(name); got != want {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
}

func TestUnread(t *testing.T) {
	for name, want := range map[string]string{
		"x-IQ1_S.gguf": "IQ1_S", "x-UD-TQ1_0-00001-of-00002.gguf": "TQ1_0", "x-nvfp4.gguf": "NVFP4", "x-Q4_K_M.gguf": "", "x.gguf": "", "x-IQ4_XS.gguf": "",
	} {
		if got := Unread(name); got != want {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
	if Rank("IQ1_S") <= Rank("never seen") || Rank("never seen") <= Rank("F32") {
		t.Error("what cannot be read does not come last")
	}
}

func TestPart(t *testing.T) {
	for name, want := range map[string]string{
		"mmproj-BF16.gguf": "pictures", "Qwen3.5-9B.BF16-mmproj.gguf": "pictures", "gemma.mmproj-q8_0.gguf": "pictures",
		"mtp-Qwen3.6-27B.gguf": "drafts", "Qwen3.6-27B-MTP-Q8_0.gguf": "", "dflash-draft-3.6-q4_k_m.gguf": "drafts", "eagle3-x.gguf": "drafts", "MTP/MTP-x-Q8_0.gguf": "drafts", "dspark-x.gguf": "drafts", "mtp-x.safetensors": "", "smtp-1b.gguf": "",
		"imatrix_unsloth.gguf": "statistics", "Qwen3.5-27B-Thinkmaker.imatrix.gguf": "statistics", "x-imatrix-Q4_K_M.gguf": "", "x-Q4_K_M-imatrix.gguf": "",
		"Qwen3.6-27B-GGUF-4.256bpw-imatrix.gguf": "",
		"adapter_model.safetensors":              "LoRA", "x/lora-f16.gguf": "LoRA", "alpaca-lora-7b.gguf": "", "adapter_model.json": "",
		"model.safetensors": "", "x-Q4_K_M.gguf": "", "mmproj.txt": "",
	} {
		if got := Part(name); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
}

func TestIsAheadOf(t *testing.T) {
	for _, c := range []struct {
		name, model string
		want        bool
	}{
		{"mtp-Qwen3.8-27B-Q4_0.gguf", "Qwen3.8-27B-Q4_K_M.gguf", true},
		{"MTP/mtp-qwen3.8-27b.gguf", "UD-IQ1_S/Qwen3.8-27B-UD-IQ1_S-00001-of-00003.gguf", true},
		{"mtp-Qwen3.8-27B-Q8_0.gguf", "Qwen3.8-27B.gguf", true},
		{"mtp-Qwen3.8-2-Q8_0.gguf", "Qwen3.8-27B-Q8_0.gguf", false},
		{"mtp-Qwen3.8-27B-Chat-Q8_0.gguf", "Qwen3.8-27B-Q8_0.gguf", false},
		{"Qwen3.8-27B-MTP-Q8_0.gguf", "Qwen3.8-27B-Q8_0.gguf", false},
		{"mtp-Q8_0.gguf", "Qwen3.8-27B-Q8_0.gguf", false},
		{"mtp-.gguf", "Qwen3.8-27B-Q8_0.gguf", false},
	} {
		if got := IsAheadOf(c.name, c.model); got != c.want {
			t.Errorf("%s of %s: %v", c.name, c.model, got)
		}
	}
}

func TestPartOfType(t *testing.T) {
	for _, c := range []struct{ kind, architecture, want string }{
		{"model", "llama", ""}, {"", "qwen35", ""}, {"mmproj", "clip", "pictures"}, {"", "clip", "pictures"}, {"imatrix", "", "statistics"}, {"adapter", "llama", "LoRA"}, {"model", "gemma4-assistant", "drafts"},
	} {
		if got := PartOfType(c.kind, c.architecture); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s %s: %q, wanted %q", c.kind, c.architecture, got, c.want)
		}
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{"a/x-00001-of-00003.gguf": "a/x", "x.Q8_0.gguf": "x.Q8_0", "m.safetensors": "m", "x-00001-of-00003.safetensors": "x-00001-of-00003"} {
		if got := Stem(name); got != want {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
	if !IsSplit("x-00001-of-00003.gguf") || IsSplit("x.gguf") || !IsWeights("a.SAFETENSORS") || IsWeights("a.bin") {
		t.Error("IsSplit or IsWeights")
	}
}
