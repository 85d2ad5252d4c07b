package assets

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io/fs"
	"testing"
	"unicode/utf8"
)

func TestStarterEmbedIsWhole(t *testing.T) {
	const limit = 16 << 20 // the repository carries it, so it stays small
	starter := StarterEmbed()
	total := int64(0)
	for _, name := range []string{"config.json", "modules.json", "tokenizer.json", "model.safetensors", "README.md", "1_Pooling/config.json"} {
		info, err := fs.Stat(starter, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		total += info.Size()
	}
	if total == 0 || total > limit {
		t.Errorf("the bundled model has %d bytes, want at most %d", total, limit)
	}
	data, err := fs.ReadFile(starter, "config.json")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Architectures []string `json:"architectures"`
	}
	if err := json.Unmarshal(data, &config); err != nil || len(config.Architectures) != 1 {
		t.Errorf("config.json names %v as its architecture (error %v)", config.Architectures, err)
	}
}

func TestIcon(t *testing.T) {
	config, err := png.DecodeConfig(bytes.NewReader(Icon()))
	if err != nil || config.Width != config.Height || config.Width < 256 {
		t.Errorf("the icon is %d by %d, error %v; want a square of 256 or more", config.Width, config.Height, err)
	}
}

func TestSamplesAreTexts(t *testing.T) {
	names, err := fs.Glob(Samples(), "*")
	if err != nil || len(names) != 3 {
		t.Fatalf("%q, error %v", names, err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(Samples(), name)
		if err != nil || len(data) < 1000 || !utf8.Valid(data) || bytes.Contains(data, []byte("\r")) {
			t.Errorf("%s: %d bytes, error %v", name, len(data), err)
		}
	}
}
