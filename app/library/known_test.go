package library

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"inglenook/app/base"
	"inglenook/pipeline"
)

// TestKnown: the files of a model are described once, and again when one of them changes, also to
// a file of the same size and time.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../pipeline/testdata/cls")); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	settings, _ := base.OpenSettings(filepath.Join(t.TempDir(), "settings.json"), log)
	times := 0
	l := New(base.NewLifetime(), settings, log, noServers(settings), func(files fs.FS, weightsFile string) (pipeline.Description, error) {
		times++
		return pipeline.Describe(files, weightsFile)
	})
	find := func(want int) Entry {
		t.Helper()
		e, err := l.Find(t.Context(), dir)
		if err != nil || !e.Usable || times != want {
			t.Fatalf("%v, %q: described %d times, want %d", err, e.Reason, times, want)
		}
		return e
	}
	first, second := find(1), find(1)
	if first.Stamp != second.Stamp || first.Dimension != second.Dimension || first.Bytes != second.Bytes || len(first.Files) != len(second.Files) {
		t.Errorf("%+v and %+v", first, second)
	}
	config := filepath.Join(dir, "config.json")
	info, err := os.Stat(config)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	n := len(data)
	data[n-1], data[n-2] = data[n-2], data[n-1] // the brace and the line's end
	if err := os.WriteFile(config, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(config, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if e := find(2); e.Stamp == first.Stamp {
		t.Error("the stamp is the same")
	}
	if err := os.WriteFile(config, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want := 3; want < 5; want++ { // what cannot be used is looked at each time
		if e, err := l.Find(t.Context(), dir); err != nil || e.Usable || times != want {
			t.Errorf("%v, %+v, %d", err, e.Model, times)
		}
	}
}
