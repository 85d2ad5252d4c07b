package weights

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestChoice(t *testing.T) {
	good := one(8)
	cases := []struct {
		name  string
		files map[string][]byte
		file  string
		want  string // the file that is opened, or
		err   string // a part of the message
	}{
		{name: "the usual name", files: map[string][]byte{"model.safetensors": good, "config.json": nil}, want: "model.safetensors"},
		{name: "a name of its own", files: map[string][]byte{"weights.safetensors": good}, want: "weights.safetensors"},
		{name: "the usual name before others", files: map[string][]byte{"model.safetensors": good, "extra.safetensors": good}, want: "model.safetensors"},
		{name: "the usual name before an index", files: map[string][]byte{"model.safetensors": good, indexFile: []byte("{}")}, want: "model.safetensors"},
		{name: "beside a pickle", files: map[string][]byte{"model.safetensors": good, "pytorch_model.bin": []byte("PK\x03\x04")}, want: "model.safetensors"},
		{name: "its own name beside a pickle", files: map[string][]byte{"a.safetensors": good, "pytorch_model.bin": []byte("PK\x03\x04")}, want: "a.safetensors"},
		{name: "macOS leftovers", files: map[string][]byte{"._model.safetensors": []byte("x"), "a.safetensors": good}, want: "a.safetensors"},
		{name: "asked for", files: map[string][]byte{"model.safetensors": nil, "2_Dense/model.safetensors": good}, file: "2_Dense/model.safetensors", want: "2_Dense/model.safetensors"},

		{name: "several without an index", files: map[string][]byte{shard1: good, shard2: good}, err: "several weight files (" + shard1 + ", " + shard2 + ")"},
		{name: "nothing", files: map[string][]byte{"config.json": nil}, err: "holds no weights"},
		{name: "an empty folder", files: nil, err: "holds no weights"},
		{name: "only in a subfolder", files: map[string][]byte{"sub/model.safetensors": good}, err: "holds no weights"},
		{name: "the usual name is a folder", files: map[string][]byte{"model.safetensors/x": nil}, err: "not an ordinary file"},
		{name: "asked for, missing", files: map[string][]byte{"model.safetensors": good}, file: "other.safetensors", err: "other.safetensors is missing"},
		{name: "asked for, outside", files: map[string][]byte{"model.safetensors": good}, file: "../model.safetensors", err: "not the name of a file inside"},
		{name: "asked for, absolute", files: map[string][]byte{"model.safetensors": good}, file: "/model.safetensors", err: "not the name of a file inside"},
		{name: "asked for, NUL", files: map[string][]byte{"model.safetensors": good}, file: "model\x00.safetensors", err: `"model\x00.safetensors" is missing`},
		{name: "asked for, the folder", files: map[string][]byte{"model.safetensors": good}, file: ".", err: "not an ordinary file"},

		{name: "pickle", files: map[string][]byte{"pytorch_model.bin": nil}, err: "can run code"},
		{name: "sharded pickle", files: map[string][]byte{"pytorch_model.bin.index.json": nil}, err: "can run code"},
		{name: "pickle .pt", files: map[string][]byte{"model.pt": nil}, err: "can run code"},
		{name: "pickle .PTH", files: map[string][]byte{"MODEL.PTH": nil}, err: "can run code"},
		{name: "pickle .ckpt", files: map[string][]byte{"model.ckpt": nil}, err: "can run code"},
		{name: "pickle .pkl", files: map[string][]byte{"model.pkl": nil}, err: "can run code"},
		{name: "pickle in a .bin", files: map[string][]byte{"weights.bin": []byte("\x80\x04\x95\x10\x00")}, err: "can run code"},
		{name: "a .bin that is none", files: map[string][]byte{"tok512.bin": []byte("\x00\x02\x00\x00")}, err: "holds no weights"},
		{name: "a pickle outranks another format", files: map[string][]byte{"a.onnx": nil, "b.pt": nil}, err: "can run code"},
		{name: "asked for a pickle", files: map[string][]byte{"pytorch_model.bin": []byte("PK\x03\x04"), "model.safetensors": good}, file: "pytorch_model.bin", err: "can run code"},

		{name: "GGUF", files: map[string][]byte{"model-q4.gguf": model("llama", floats("a", 2)), "README.md": nil}, want: "model-q4.gguf"},
		{name: "GGUF in capitals", files: map[string][]byte{"MODEL.GGUF": model("llama", floats("a", 2))}, want: "MODEL.GGUF"},
		{name: "GGUF beside a pickle", files: map[string][]byte{"a.gguf": model("llama", floats("a", 2)), "pytorch_model.bin": []byte("PK\x03\x04")}, want: "a.gguf"},
		{name: "safetensors before GGUF", files: map[string][]byte{"a.gguf": nil, "b.safetensors": good}, want: "b.safetensors"},
		{name: "GGUF, asked for", files: map[string][]byte{"model.safetensors": nil, "q4/b.gguf": model("llama", floats("a", 2))}, file: "q4/b.gguf", want: "q4/b.gguf"},
		{name: "several GGUF files", files: map[string][]byte{"a.gguf": nil, "b.gguf": nil}, err: "several GGUF files (a.gguf, b.gguf): open one"},
		{name: "GGUF beside its part for pictures", files: map[string][]byte{"a.gguf": model("llama", floats("a", 2)), "mmproj-F16.gguf": nil, "a.imatrix.gguf": nil}, want: "a.gguf"},
		{name: "only the part for pictures", files: map[string][]byte{"mmproj-F16.gguf": nil}, err: "mmproj-F16.gguf holds the part of a model that reads pictures or sound: choose"},
		{name: "only an adapter", files: map[string][]byte{"adapter_model.safetensors": good}, err: "an adapter (LoRA), which changes another model"},
		{name: "an adapter beside the model", files: map[string][]byte{"adapter_model.safetensors": good, "x.safetensors": good}, want: "x.safetensors"},
		{name: "GGUF as a shard", files: map[string][]byte{indexFile: []byte(`{"weight_map":{"a":"a.gguf"}}`), "a.gguf": model("llama", floats("a", 2))}, err: "the file a.gguf is not a safetensors file"},
		{name: "ONNX", files: map[string][]byte{"model.onnx": nil}, err: "ONNX"},
		{name: "Keras", files: map[string][]byte{"tf_model.h5": nil}, err: "Keras"},
		{name: "Flax", files: map[string][]byte{"flax_model.msgpack": nil}, err: "Flax"},

		{name: "renamed zip pickle", files: map[string][]byte{"model.safetensors": []byte("PK\x03\x04\x14\x00\x08\x08archive/data.pkl")}, err: "can run code"},
		{name: "renamed zip pickle whose first bytes could be a length", files: map[string][]byte{"model.safetensors": []byte("PK\x03\x04\x00\x00\x00\x00\x00\x00")}, err: "can run code"},
		{name: "renamed empty zip", files: map[string][]byte{"model.safetensors": []byte("PK\x05\x06" + strings.Repeat("\x00", 18))}, err: "can run code"},
		{name: "renamed pickle, protocol 2", files: map[string][]byte{"model.safetensors": []byte("\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.")}, err: "can run code"},
		{name: "renamed pickle, protocol 4", files: map[string][]byte{"model.safetensors": []byte("\x80\x04\x95\x1d\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix")}, err: "can run code"},
		{name: "renamed pickle, protocol 5", files: map[string][]byte{"model.safetensors": []byte("\x80\x05}.")}, err: "can run code"},
		{name: "renamed pickle, protocol 0", files: map[string][]byte{"model.safetensors": []byte("cos\nsystem\n(S'true'\ntR.")}, err: "can run code"},
		{name: "renamed GGUF", files: map[string][]byte{"model.safetensors": []byte("GGUF\x03\x00\x00\x00\x00\x00")}, err: "a GGUF file under another name: rename it to end in .gguf"},
		{name: "renamed HDF5", files: map[string][]byte{"model.safetensors": []byte("\x89HDF\r\n\x1a\n\x00")}, err: "Keras"},
		{name: "Git LFS pointer", files: map[string][]byte{"model.safetensors": []byte("version https://git-lfs.github.com/spec/v1\noid sha256:53aa\nsize 90868376\n")}, err: "git lfs pull"},
		{name: "error page", files: map[string][]byte{"model.safetensors": []byte("\n<!DOCTYPE html><html>")}, err: "web page"},
		{name: "XML error", files: map[string][]byte{"model.safetensors": []byte("<?xml version='1.0'?><Error>")}, err: "web page"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.err != "" {
				err := refused(t, folder(c.files), Options{File: c.file}, c.err)
				if pickle := strings.Contains(c.err, "can run code"); errors.Is(err, ErrPickle) != pickle {
					t.Errorf("ErrPickle: %v", !pickle)
				}
				return
			}
			s := mustOpen(t, folder(c.files), Options{File: c.file})
			if info, _ := s.Info("a"); info.File != c.want {
				t.Errorf("%q was opened, want %q", info.File, c.want)
			}
		})
	}
}

// TestLengthThatLooksForeign opens a valid file whose first bytes, the header's length,
// happen to be those of a pickle.
func TestLengthThatLooksForeign(t *testing.T) {
	header := "{}" + strings.Repeat(" ", 0x0280-2)
	data := raw(header, 0)
	if !bytes.HasPrefix(data, []byte("\x80\x02")) {
		t.Fatalf("% x", data[:8])
	}
	mustOpen(t, single(data), Options{})
}

func TestFoldersOnDisk(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside.safetensors")
	model := filepath.Join(dir, "model")
	write(t, outside, one(8))
	write(t, filepath.Join(model, "real.safetensors"), one(8))
	write(t, filepath.Join(model, "secret.safetensors"), one(8))
	link(t, "real.safetensors", filepath.Join(model, "inside.safetensors"))
	link(t, "../outside.safetensors", filepath.Join(model, "escape.safetensors"))
	link(t, outside, filepath.Join(model, "absolute.safetensors"))
	link(t, "gone.safetensors", filepath.Join(model, "dangling.safetensors"))
	link(t, "loop.safetensors", filepath.Join(model, "loop.safetensors"))
	root, err := os.OpenRoot(model)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	fsys := root.FS()
	mustOpen(t, fsys, Options{File: "inside.safetensors"})
	for name, want := range map[string]string{
		"escape.safetensors":   "is a link to something outside of the model's folder",
		"absolute.safetensors": "is a link to something outside of the model's folder",
		"dangling.safetensors": "is missing",
		"loop.safetensors":     "cannot be opened",
	} {
		err := refused(t, fsys, Options{File: name}, want)
		if strings.Contains(err.Error(), dir) {
			t.Errorf("the message shows where the folder is: %v", err)
		}
	}
}

// TestHubCache opens a snapshot of the Hugging Face cache, whose files are
// links to blobs beside it: the root is the repository's folder, not the
// snapshot's.
func TestHubCache(t *testing.T) {
	repo := filepath.Join(t.TempDir(), "models--a--b")
	write(t, filepath.Join(repo, "blobs", "53aa"), one(8))
	snapshot := filepath.Join(repo, "snapshots", "0123")
	must(t, os.MkdirAll(snapshot, 0o755))
	link(t, "../../blobs/53aa", filepath.Join(snapshot, singleFile))
	root, err := os.OpenRoot(repo)
	must(t, err)
	defer root.Close()
	fsys, err := fs.Sub(root.FS(), "snapshots/0123")
	must(t, err)
	s := mustOpen(t, fsys, Options{})
	if runtime.GOOS == "linux" && s.files[0].mapped == nil {
		t.Error("the file is not mapped")
	}
	inner, err := root.OpenRoot("snapshots/0123")
	must(t, err)
	defer inner.Close()
	refused(t, inner.FS(), Options{}, "is a link to something outside of the model's folder")
}

func TestUnreadableFile(t *testing.T) {
	if os.Getuid() == 0 {
		// root can read everything, so a file system that refuses is used.
		refused(t, failingFS{single(one(8)), fs.ErrPermission}, Options{}, "model.safetensors cannot be opened: permission denied")
		return
	}
	dir := t.TempDir()
	name := filepath.Join(dir, singleFile)
	write(t, name, one(8))
	if err := os.Chmod(name, 0); err != nil {
		t.Fatal(err)
	}
	refused(t, os.DirFS(dir), Options{}, "model.safetensors cannot be opened: permission denied")
}

// failingFS finds its files, but cannot open them.
type failingFS struct {
	fstest.MapFS
	err error
}

func (f failingFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: "/home/somebody/" + name, Err: f.err}
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("this system makes no symbolic links:", err)
	}
}

func TestDescribesItself(t *testing.T) {
	for _, c := range []struct {
		files, file string
		want        bool
	}{
		{"config.json model.safetensors", "", false},
		{"a.gguf", "", true},
		{"a.gguf b.gguf", "", true}, // Open says that there are several
		{"a.gguf b.safetensors", "", false},
		{"a.gguf b.safetensors", "a.gguf", true},
		{"a.gguf model.safetensors.index.json", "", false},
		{".hidden.gguf config.json", "", false},
		{"config.json", "", false},
	} {
		folder := fstest.MapFS{}
		for _, name := range strings.Fields(c.files) {
			folder[name] = &fstest.MapFile{}
		}
		if got := DescribesItself(folder, c.file); got != c.want {
			t.Errorf("%s [%s]: %v", c.files, c.file, got)
		}
	}
}
