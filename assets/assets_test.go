package assets

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io/fs"
	"testing"
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
