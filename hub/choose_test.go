package hub

import (
	"slices"
	"strings"
	"testing"

	"inglenook/hub/repo"
)

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		files, patterns string
		want            string // or
		err             string
	}{
		{files: "config.json model.safetensors pytorch_model.bin tf_model.h5 README.md .gitattributes", want: "README.md config.json model.safetensors"},
		{files: "config.json model-00001-of-00002.safetensors model-00002-of-00002.safetensors model.safetensors.index.json consolidated.safetensors", want: "config.json model-00001-of-00002.safetensors model-00002-of-00002.safetensors model.safetensors.index.json"},
		{files: "config.json model.safetensors model.fp16.safetensors", want: "config.json model.safetensors"},
		{files: "model.fp16.safetensors config.json", want: "config.json model.fp16.safetensors"},
		{files: "config.json model.safetensors onnx/model.onnx onnx/config.json openvino/openvino_model.xml 1_Pooling/config.json modules.json 2_Dense/model.safetensors", want: "1_Pooling/config.json 2_Dense/model.safetensors config.json model.safetensors modules.json"},
		{files: "m-Q8_0.gguf m-Q4_K_M.gguf m-Q2_K.gguf README.md", want: "README.md m-Q4_K_M.gguf"},
		{files: "m.q8_0.gguf m.f16.gguf", want: "m.q8_0.gguf"},
		{files: "m-Q8_0.gguf m-Q5_K_M.gguf m-Q4_K_S.gguf m-Q2_K.gguf", want: "m-Q5_K_M.gguf"},
		{files: "m-F16.gguf m-Q2_K.gguf m-Q4_K_S.gguf", want: "m-Q4_K_S.gguf"},
		{files: "m-Q4_K_M-00001-of-00002.gguf m-Q4_K_M-00002-of-00002.gguf m-Q8_0.gguf mmproj-F16.gguf", want: "m-Q4_K_M-00001-of-00002.gguf m-Q4_K_M-00002-of-00002.gguf"},
		{files: "mmproj-F16.gguf imatrix_unsloth.gguf mtp-m.gguf m-UD-TQ1_0.gguf m-Q8_0.gguf", want: "m-Q8_0.gguf"},
		{files: "m-IQ1_S.gguf m-UD-TQ1_0.gguf m-NVFP4.gguf README.md", err: "IQ1_S"},
		{files: "m-IQ1_S.gguf m-Q8_0.gguf", patterns: "*IQ1*", err: "IQ1_S, which cannot be read here"},
		{files: "mmproj-F16.gguf README.md", err: "only the part of a model that reads pictures"},
		{files: "adapter_model.safetensors adapter_config.json", err: "only an adapter (LoRA)"},
		{files: "adapter_model.safetensors config.json model.safetensors", want: "config.json model.safetensors"},
		{files: "m-Q8_0.gguf m-Q4_K_M.gguf config.json", patterns: "*Q8_0*", want: "config.json m-Q8_0.gguf"},
		{files: "m-Q8_0.gguf m-Q4_K_M.gguf mtp-m-Q8_0.gguf MTP/mtp-m.gguf", patterns: "m-Q4_K_M.gguf mtp-*", want: "MTP/mtp-m.gguf m-Q4_K_M.gguf mtp-m-Q8_0.gguf"},
		{files: "m.gguf model.safetensors config.json", want: "config.json model.safetensors"},
		{files: "onnx/model.onnx model.safetensors config.json", patterns: "onnx/*", want: "config.json onnx/model.onnx"},
		{files: "config.json pytorch_model.bin", err: "can run code"},
		{files: "config.json model.pt weights.ckpt x.pkl", err: "can run code"},
		{files: "config.json model.safetensors pytorch_model.bin", patterns: "*.bin", err: "can run code"},
		{files: "config.json", err: "no weights"},
		{files: "config.json model.safetensors", patterns: "*.gguf", err: "no file matches *.gguf"},
		{files: "config.json model.safetensors", patterns: "[", err: "is not a file name pattern"},
		{files: "config.json modeling_evil.py model.safetensors", want: "config.json model.safetensors"},
	} {
		var files []repo.File
		for _, name := range strings.Fields(c.files) {
			files = append(files, repo.File{Path: name})
		}
		got, err := Choose(files, strings.Fields(c.patterns))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, wanted %q", c.files, err, c.err)
			}
			continue
		}
		var taken []string
		for _, f := range got {
			if f.Why == "" {
				t.Errorf("%s: nothing says why %s is taken or not", c.files, f.Path)
			}
			if f.Wanted {
				taken = append(taken, f.Path)
			}
		}
		slices.Sort(taken)
		if err != nil || strings.Join(taken, " ") != c.want {
			t.Errorf("%s [%s]: %v (%v), wanted %s", c.files, c.patterns, taken, err, c.want)
		}
	}
}
