package weights

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// ErrPickle is wrapped by errors about checkpoints in Python's pickle format.
var ErrPickle = errors.New("this format can run code")

// foreignNames maps the extensions of weight files that are neither safetensors
// nor GGUF to their format; pickles have the format "".
var foreignNames = map[string]string{
	".pt": "", ".pth": "", ".ckpt": "", ".pkl": "", ".pickle": "",
	".ggml": "GGML", ".onnx": "ONNX", ".h5": "HDF5 (Keras)",
	".msgpack": "MessagePack (Flax)", ".tflite": "TensorFlow Lite", ".npz": "NumPy",
}

// foreignBytes lists the first bytes of foreign files found under the name
// model.safetensors. No valid file begins with any of them: read as the
// header's length they exceed the format's limit, or no '{' follows.
var foreignBytes = []struct{ magic, format string }{
	{"PK\x03\x04", ""},
	{"PK\x05\x06", ""}, // PyTorch keeps its pickles in a zip archive
	{"\x80\x00", ""},
	{"\x80\x01", ""},
	{"\x80\x02", ""},
	{"\x80\x03", ""},
	{"\x80\x04", ""},
	{"\x80\x05", ""},
	{"cos\n", ""},
	{"cposix\n", ""},
	{"cbuiltins\n", ""},
	{"c__builtin__\n", ""},
	{"ccollections\n", ""},
	{"(dp", ""},
	{"(lp", ""},
	{"\x89HDF", "HDF5 (Keras)"},
}

// foreignName rejects a file by its name.
func foreignName(name string) error {
	base := path.Base(name)
	if format, ok := foreignNames[strings.ToLower(path.Ext(base))]; ok {
		return foreign(name, format)
	}
	if strings.HasPrefix(base, "pytorch_model") {
		return foreign(name, "")
	}
	return nil
}

// foreignContent rejects a file by its first bytes, whatever its name.
func foreignContent(name string, head []byte) error {
	if len(head) > 8 && head[8] == '{' {
		return nil
	}
	text := string(head)
	if strings.HasPrefix(text, "GGUF") {
		return fmt.Errorf("%s is a GGUF file under another name: rename it to end in %s", quote(name), ggufEnd)
	}
	for _, f := range foreignBytes {
		if strings.HasPrefix(text, f.magic) {
			return foreign(name, f.format)
		}
	}
	if strings.HasPrefix(text, "version https://git-lfs") {
		return fmt.Errorf("%s is only a Git LFS pointer to the weights: fetch the file itself with git lfs pull, or download the model again", quote(name))
	}
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		return fmt.Errorf("%s is a web page and not the weights, most likely saved from an error: download the model again", quote(name))
	}
	return nil
}

func foreign(name, format string) error {
	if format == "" {
		return fmt.Errorf("%s is refused because %w (it is a pickle): choose a safetensors or GGUF revision of this model", quote(name), ErrPickle)
	}
	return fmt.Errorf("%s is in the %s format, which this version does not read: choose a safetensors or GGUF revision of this model", quote(name), format)
}
