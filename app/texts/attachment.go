package texts

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
)

// maxAttachment bounds a text file that goes to a language model: it is far more
// than a model reads at once.
const maxAttachment = 4 << 20

// ReadText reads a text file as a whole. UTF-8, UTF-16 with a byte order mark and
// Windows-1252 are understood; line ends become \n.
func (*Service) ReadText(ctx context.Context, path string) (string, error) {
	name := filepath.Base(path)
	data, err := readTextFile(ctx, path)
	if err != nil {
		return "", err
	}
	text, _ := decodeText(data)
	switch {
	case looksBinary(text):
		return "", notText(name, "save its text as a .txt file and attach that")
	case len(text) > maxAttachment:
		return "", fmt.Errorf("%s holds %s of text, more than a model reads at once; attach a part of it", name, humanize.Bytes(uint64(len(text))))
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("%s holds no text; attach a file with text", name)
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}

// notText refuses a file that holds no text. hint says what to do, unless the file is one of a
// model's.
func notText(name, hint string) error {
	if IsPicture(name) {
		return fmt.Errorf("%s is not a text file but a picture; %s", name, hint)
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".bin", ".pt", ".pth", ".ckpt", ".onnx", ".h5", ".msgpack":
		hint = "if it belongs to a model, drop the model's whole folder, with a .safetensors or .gguf file in it"
	}
	return fmt.Errorf("%s is not a text file: it holds binary data; %s", name, hint)
}
