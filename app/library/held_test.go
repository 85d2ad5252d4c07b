package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/base"
)

// putFiles makes empty files; "a -> b" is a link.
func putFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		name, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil && isLink {
			err = os.Symlink(target, path)
		} else if err == nil {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestHeld(t *testing.T) {
	outside := t.TempDir()
	putFiles(t, outside, "o.gguf", "m/config.json", "m/model.safetensors")
	numbered := func(form string, n int) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprintf(form, i))
		}
		return names
	}
	for name, c := range map[string]struct {
		files []string
		want  string // the models below the folder, which is "."
	}{
		"one":                       {[]string{"config.json", "model.safetensors"}, "."},
		"one with parts":            {[]string{"config.json", "model.safetensors", "2_Dense/config.json", "2_Dense/model.safetensors", "x.gguf"}, "."},
		"parts alone":               {[]string{"modules.json", "0_Transformer/config.json", "0_Transformer/model.safetensors"}, "."},
		"one GGUF":                  {[]string{"config.json", "a.gguf", "mmproj-a.gguf", "docs/a.txt"}, "."},
		"one GGUF and its head":     {[]string{"a.gguf", "mtp-a-Q8_0.gguf", "MTP/mtp-a.gguf"}, "."},
		"GGUFs and a head":          {[]string{"a-Q4_0.gguf", "a-Q8_0.gguf", "mtp-a.gguf"}, "a-Q4_0.gguf a-Q8_0.gguf"},
		"one GGUF and other weight": {[]string{"a.gguf", "b.safetensors"}, "a.gguf"},
		"several GGUFs":             {[]string{"a-Q4_0.gguf", "a-Q8_0.gguf", "._a.gguf", "mmproj-a.gguf"}, "a-Q4_0.gguf a-Q8_0.gguf"},
		"split":                     {[]string{"a-00001-of-00002.gguf", "a-00002-of-00002.gguf"}, "."},
		"split and another":         {[]string{"a-00001-of-00002.gguf", "a-00002-of-00002.gguf", "a.gguf"}, "a-00001-of-00002.gguf a.gguf"},
		"mixed":                     {[]string{"s.gguf", "m/config.json", "m/model.safetensors"}, "s.gguf m"},
		"nested":                    {[]string{"x/m/config.json", "x/m/w.safetensors", "x/n/a.gguf", "y/a.gguf", "y/b.gguf", ".z/a.gguf"}, "x/m x/n y/a.gguf y/b.gguf"},
		"one below":                 {[]string{"x/m/config.json", "x/m/w.safetensors"}, "x/m"},
		"deep":                      {[]string{"1/2/3/a.gguf", "1/2/3/4/b.gguf"}, "1/2/3"},
		"links inside":              {[]string{"s/config.json -> ../blobs/1", "s/model.safetensors -> ../blobs/2", "blobs/1", "blobs/2", "l -> s"}, "s"},
		"links outside":             {[]string{"o.gguf -> " + outside + "/o.gguf", "m -> " + outside + "/m", "a/a.gguf"}, "a"},
		"a loop":                    {[]string{"a/b -> ..", "a/c.gguf -> c.gguf", "a/d.gguf"}, "a"},
		"many models":               {numbered("m%d.gguf", maxHeldModels+1), "too much"},
		"many files":                {append(numbered("x/%d.txt", maxHeldEntries), "a.gguf"), "too much"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			putFiles(t, dir, c.files...)
			places, err := held(t.Context(), folderPlace(dir))
			if tooMuch := err != nil && strings.Contains(err.Error(), "holds too much"); tooMuch != (c.want == "too much") || !tooMuch && err != nil {
				t.Fatalf("%d places, %v", len(places), err)
			} else if tooMuch {
				return
			}
			var got []string
			for _, p := range places {
				rel, err := filepath.Rel(dir, p.Path)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(rel))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := held(ctx, folderPlace(outside)); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was cancelled: %v", err)
	}
}

// Of a folder without a model is said what lies there instead.
func TestNoModelIn(t *testing.T) {
	apptest.Home(t)
	l := looking(t)
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"nothing":          {nil, "is empty; choose"},
		"texts":            {[]string{"a.txt", "b/c.txt"}, "has no model in it; a model is a folder with config.json"},
		"ONNX":             {[]string{"onnx/model.onnx", "tokenizer.json"}, "onnx/model.onnx in "},
		"what runs code":   {[]string{"pytorch_model.bin"}, "can run code"},
		"several formats":  {[]string{"model.onnx", "tf_model.h5", "b.onnx"}, "in the formats ONNX, Keras alone"},
		"only its config":  {[]string{"config.json", "pytorch_model.bin"}, "was not added: "},
		"weights alone":    {[]string{"model.safetensors"}, "there is no config.json here"},
		"a part of others": {[]string{"mmproj-a.gguf"}, "was not added: "},
	} {
		dir := filepath.Join(t.TempDir(), "chosen")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		putFiles(t, dir, c.files...)
		added, err := l.AddModels(t.Context(), dir)
		if len(added) > 0 || err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "chosen") {
			t.Errorf("%s: added %d, %v", name, len(added), err)
		}
	}
	if _, err := l.AddModel(t.Context(), filepath.Join(apptest.Root(t), "NO.onnx")); err == nil {
		t.Error("what is not there is added")
	}
	file := filepath.Join(t.TempDir(), "model.onnx")
	putFiles(t, filepath.Dir(file), "model.onnx")
	if _, err := l.AddModel(t.Context(), file); err == nil || !strings.Contains(err.Error(), "model.onnx is in the format ONNX, which Inglenook does not read") {
		t.Errorf("a file: %v", err)
	}
}

// TestAddModels adds a folder that holds a GGUF file and another model in a sub-folder; it
// was taken for one model before. Then there are broken ones beside them.
func TestAddModels(t *testing.T) {
	apptest.Home(t)
	l := looking(t)
	dir := filepath.Join(t.TempDir(), "Models")
	file, folder := filepath.Join(dir, "small.gguf"), filepath.Join(dir, "encoder")
	apptest.PutCheckpoint(t, folder)
	gguf, err := os.ReadFile(filepath.Join(apptest.Root(t), "pipeline/testdata/gguf-cls/model.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, gguf, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.settings.SaveSettings(func(s *base.Settings) { s.Recent = []string{dir} }); err != nil {
		t.Fatal(err)
	}
	_, err = l.AddModel(t.Context(), dir)
	if several := (&SeveralError{}); !errors.As(err, &several) || !strings.Contains(err.Error(), "Models holds 2 models") ||
		!slices.Equal(several.Models, [][2]string{{"small.gguf", file}, {"encoder", folder}}) {
		t.Errorf("one of two: %v", err)
	}
	added, err := l.AddModels(t.Context(), dir)
	if err != nil || len(added) != 2 || added[0].ID != file || added[0].Bytes != int64(len(gguf)) || added[1].ID != folder || added[1].Name != "encoder" {
		t.Errorf("added %+v, %v", added, err)
	}
	if recent := l.settings.Settings().Recent; !slices.Equal(recent, []string{file, folder}) {
		t.Errorf("kept %q", recent)
	}
	putFiles(t, dir, "worse/config.json", "worse/model.safetensors")
	if _, err := l.AddModels(t.Context(), filepath.Join(dir, "worse")); err == nil || !strings.Contains(err.Error(), "worse was not added: ") {
		t.Errorf("a broken one: %v", err)
	}
	putFiles(t, dir, "broken/config.json", "broken/model.safetensors")
	added, err = l.AddModels(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "2 models were not added, such as broken: ") || len(added) != 2 {
		t.Errorf("with a broken one: %d added, %v", len(added), err)
	}
	if recent := l.settings.Settings().Recent; !slices.Equal(recent, []string{file, folder}) {
		t.Errorf("kept %q", recent)
	}
}
