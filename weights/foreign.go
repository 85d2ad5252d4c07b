package weights

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"inglenook/filenames"
)

// ErrPickle is wrapped by errors about checkpoints that can hold Python's pickles.
var ErrPickle = errors.New(filenames.CanRunCode)

// foreignBytes lists the first bytes of foreign files found under the name
// model.safetensors; pickles have the format "". No valid file begins with any of them: read as the
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
	{"\x89HDF", "Keras"},
}

// foreignName rejects a file by its name.
func foreignName(name string) error {
	base := path.Base(name)
	switch format, is := filenames.Format(base); {
	case strings.HasPrefix(base, "pytorch_model"):
		return foreign(name, "")
	case !is || strings.EqualFold(path.Ext(base), ".bin"): // which says nothing
	case format.RunsCode:
		return foreign(name, "")
	default:
		return foreign(name, format.Name)
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

// foreign refuses a file in another format; "" is that of pickles.
func foreign(name, format string) error {
	if format == "" {
		return fmt.Errorf("%s is in %w, so it is not read; "+filenames.GetInstead, quote(name), ErrPickle)
	}
	return fmt.Errorf("%s is in the format %s, which is not read; "+filenames.GetInstead, quote(name), format)
}
