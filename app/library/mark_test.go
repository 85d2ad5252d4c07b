package library

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestStampOfASwap replaces files by others of the same size and time.
func TestStampOfASwap(t *testing.T) {
	dir := t.TempDir()
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	stampOf := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
		folder, closer, err := folderPlace(dir).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		_, stamp := folderPlace(dir).files(folder)
		return stamp
	}
	for _, size := range []int{1, 300, 16 << 10, 20_000, 24 << 10, 25_000, 3 << 20} {
		data := bytes.Repeat([]byte("weights "), size/8+1)[:size]
		before := stampOf("model.safetensors", data)
		if again := stampOf("model.safetensors", data); again != before {
			t.Errorf("%d bytes: the same file has another stamp", size)
		}
		for what, at := range map[string]int{"its first byte": 0, "its last byte": size - 1} {
			other := bytes.Clone(data)
			other[at] ^= 1
			if stampOf("model.safetensors", other) == before {
				t.Errorf("%d bytes: a file that differs in %s has the same stamp", size, what)
			}
		}
		for i := min(size, 16<<10); i < size; i++ { // other weights under the same header
			data[i] ^= 0x15
		}
		if size > 16<<10 && stampOf("model.safetensors", data) == before {
			t.Errorf("%d bytes: other weights have the same stamp", size)
		}
	}
}
