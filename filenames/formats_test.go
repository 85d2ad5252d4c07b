package filenames

import "testing"

// A format that is not read has one name, whoever asks, and files that can run code are told by their names.
func TestForeignFormats(t *testing.T) {
	for name, want := range map[string]string{
		"a/pytorch_model.BIN": CanRunCode, "x.pt": CanRunCode, "x.npy": CanRunCode, "x.llamafile": CanRunCode,
		"onnx/model.onnx": "the format ONNX", "model.onnx_data": "the format ONNX", "tf_model.h5": "the format Keras", "old.ggml": "the format GGML",
		"model.safetensors": "", "m.gguf": "", "config.json": "", "README": "",
	} {
		got := ""
		if f, foreign := Format(name); foreign {
			got = f.InWords()
		}
		if got != want {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
		if got != "" && IsWeights(name) {
			t.Errorf("%s is read, and is not", name)
		}
	}
}
