package filenames

import (
	"path"
	"strings"
)

// Foreign is a format of models that is not read here.
type Foreign struct {
	Name     string // as people know it
	RunsCode bool   // when a file is opened: it can hold Python's pickles, or is a program
}

// foreign are these formats by the ends of their files' names.
var foreign = map[string]Foreign{
	".bin": pyTorch, ".pt": pyTorch, ".pth": pyTorch, ".ckpt": pyTorch, ".pkl": pyTorch, ".pickle": pyTorch,
	".joblib": {"joblib", true}, ".dill": {"dill", true}, ".npy": {"NumPy", true}, ".npz": {"NumPy", true}, ".llamafile": {"llamafile", true},
	".onnx": {Name: "ONNX"}, ".onnx_data": {Name: "ONNX"}, ".ggml": {Name: "GGML"}, ".h5": {Name: "Keras"}, ".keras": {Name: "Keras"},
	".tflite": {Name: "TensorFlow Lite"}, ".pb": {Name: "TensorFlow"}, ".msgpack": {Name: "Flax"}, ".mlmodel": {Name: "Core ML"},
	".nemo": {Name: "NeMo"}, ".engine": {Name: "TensorRT"}, ".ot": {Name: "rust-bert"},
}

var pyTorch = Foreign{"PyTorch", true}

// Format is the format of a model that is not read here, by the name of a file; false: it is none. Of the
// end .bin alone other files have names too: only its content says more.
func Format(name string) (Foreign, bool) {
	f, is := foreign[strings.ToLower(path.Ext(name))]
	return f, is
}

// What is said of such files everywhere.
const (
	CanRunCode = "a format that can run code when it is opened"
	GetInstead = "get the model as safetensors or GGUF"
)

// InWords names the format in a sentence.
func (f Foreign) InWords() string {
	if f.RunsCode {
		return CanRunCode
	}
	return "the format " + f.Name
}
