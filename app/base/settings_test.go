package base

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func settingsIn(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "config", "settings.json")
}

func TestSettingsAreKept(t *testing.T) {
	path := settingsIn(t)
	s, note := OpenSettings(path, quiet)
	if note != "" {
		t.Errorf("a first start says %q", note)
	}
	want := Settings{
		Theme: "dark", Threads: 3, Model: "org/name", Device: "cpu", Window: Window{900, 600, "similarity", true, "/papers", "/tables"},
		Recent: []string{"/a", "/b"}, LastUsed: map[string]time.Time{"org/name": time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)},
		SimilarityTexts: []string{"one", "zwei ä"},
	}
	if err := s.SaveSettings(func(s *Settings) { *s = want }); err != nil {
		t.Fatal(err)
	}
	again, note := OpenSettings(path, quiet)
	if note != "" || !reflect.DeepEqual(again.Settings(), want) {
		t.Errorf("read back %+v, note %q; want %+v", again.Settings(), note, want)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func TestSettingsAreCopies(t *testing.T) {
	s, _ := OpenSettings(settingsIn(t), quiet)
	if err := s.SaveSettings(func(s *Settings) { s.Recent = []string{"a"} }); err != nil {
		t.Fatal(err)
	}
	got := s.Settings()
	got.Recent[0] = "changed"
	got.LastUsed["x"] = time.Now()
	if again := s.Settings(); again.Recent[0] != "a" || len(again.LastUsed) != 0 {
		t.Errorf("a caller changed the settings: %+v", again)
	}
}

func TestTwoProcessesShareTheSettings(t *testing.T) {
	path := settingsIn(t)
	one, _ := OpenSettings(path, quiet)
	two, _ := OpenSettings(path, quiet)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			store := []*SettingsStore{one, two}[i%2]
			if err := store.SaveSettings(func(s *Settings) { s.Recent = append(s.Recent, fmt.Sprint(i)) }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	last, _ := OpenSettings(path, quiet)
	if n := len(last.Settings().Recent); n != 20 {
		t.Errorf("%d of 20 changes are there", n)
	}
}

// Every damaged file: the program starts, says so, keeps a copy, and saves again.
func TestDamagedSettings(t *testing.T) {
	path := settingsIn(t)
	s, _ := OpenSettings(path, quiet)
	if err := s.SaveSettings(func(s *Settings) { s.Theme, s.Recent = "dark", []string{"/x"} }); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"binary": "\x00\x01\xff", "list": "[]", "null": "null", "no schema": `{"theme":"dark"}`,
		"schema 0": `{"schema":0}`, "schema text": `{"schema":"1"}`, "schema huge": `{"schema":1e99}`,
		"wrong types": `{"schema":1,"theme":3,"threads":"x","window":[],"recent":7}`,
	}
	for n := range len(whole) - 2 { // up to the closing brace
		cases[fmt.Sprintf("cut at %d", n)] = string(whole[:n])
	}
	for name, content := range cases {
		path := settingsIn(t)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s, note := OpenSettings(path, quiet)
		if !strings.Contains(note, "is damaged") {
			t.Errorf("%s: note %q", name, note)
		}
		kept, err := os.ReadFile(path + ".damaged")
		if err != nil || string(kept) != content {
			t.Errorf("%s: the copy holds %q (error %v)", name, kept, err)
		}
		if theme := s.Settings().Theme; theme != "system" {
			t.Errorf("%s: theme %q", name, theme)
		}
		if err := s.SaveSettings(func(s *Settings) { s.Theme = "light" }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, note := OpenSettings(path, quiet); note != "" || again.Settings().Theme != "light" {
			t.Errorf("%s: after saving: theme %q, note %q", name, again.Settings().Theme, note)
		}
	}
}

func TestSettingsWithNonsense(t *testing.T) {
	s := Settings{
		Theme: "pink", Threads: -4, Window: Window{Width: float32(math.NaN()), Height: 1e9},
		Recent: make([]string, 1000), LastUsed: map[string]time.Time{}, SimilarityTexts: []string{"a", strings.Repeat("x", 2<<20), "b"},
	}
	for i := range 2 * maxLastUsed {
		s.LastUsed[fmt.Sprint(i)] = time.Unix(int64(i), 0)
	}
	s.clean()
	if s.Theme != "system" || s.Threads != 0 || s.Window != (Window{}) || len(s.Recent) != maxRecent || len(s.SimilarityTexts) != 1 {
		t.Errorf("cleaned: %q %d %v %d %d", s.Theme, s.Threads, s.Window, len(s.Recent), len(s.SimilarityTexts))
	}
	if _, ok := s.LastUsed[fmt.Sprint(2*maxLastUsed-1)]; len(s.LastUsed) != maxLastUsed || !ok {
		t.Errorf("%d last uses are left, the newest among them: %v", len(s.LastUsed), ok)
	}
}

func TestSettingsThatCannotBeSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := OpenSettings(filepath.Join(file, "settings.json"), quiet)
	err := s.SaveSettings(func(s *Settings) { s.Theme = "dark" })
	if err == nil || !strings.Contains(err.Error(), "could not be saved") {
		t.Errorf("error %v", err)
	}
	if err := s.SaveSettings(func(s *Settings) { s.Threads = 2 }); err == nil {
		t.Error("saved below a file")
	}
	if got := s.Settings(); got.Theme != "dark" || got.Threads != 2 {
		t.Errorf("the changes do not hold: %+v", got)
	}
}

func TestVersionedUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.json")
	old := `{"schema": 1, "colour": "red", "kept": 5}`
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	rename := func(fields map[string]json.RawMessage) error {
		fields["color"] = fields["colour"]
		delete(fields, "colour")
		return nil
	}
	double := func(fields map[string]json.RawMessage) error {
		var n int
		err := json.Unmarshal(fields["kept"], &n)
		fields["kept"] = json.RawMessage(fmt.Sprint(2 * n))
		return err
	}
	v := versioned{path: path, upgrades: []func(map[string]json.RawMessage) error{rename, double}}
	var got struct {
		Color string `json:"color"`
		Kept  int    `json:"kept"`
	}
	note, err := v.read(&got)
	if err != nil || !strings.Contains(note, "was upgraded") || got.Color != "red" || got.Kept != 10 {
		t.Errorf("read %+v, note %q, error %v", got, note, err)
	}
	if kept, err := os.ReadFile(path + ".schema1"); err != nil || string(kept) != old {
		t.Errorf("the copy holds %q, error %v", kept, err)
	}
	if err := v.write(got); err != nil {
		t.Fatal(err)
	}
	if note, err := v.read(&got); note != "" || err != nil || got.Kept != 10 {
		t.Errorf("after writing: %+v, note %q, error %v", got, note, err)
	}

	v.upgrades = append(v.upgrades, func(map[string]json.RawMessage) error { return errors.New("no way") })
	if _, err := v.read(&got); err == nil || !strings.Contains(err.Error(), "upgrade from schema 3: no way") {
		t.Errorf("error %v", err)
	}

	// An older program finds the file of the newer one.
	older := versioned{path: path}
	note, err = older.read(&got)
	if err != nil || !strings.Contains(note, "newer version") {
		t.Errorf("note %q, error %v", note, err)
	}
	if _, err := os.Stat(path + ".schema3"); err != nil {
		t.Error(err)
	}
	if _, err := older.read(&got); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + ".schema3-2"); !os.IsNotExist(err) {
		t.Errorf("a second copy of the same file was made: %v", err)
	}
}

func FuzzSettings(f *testing.F) {
	for _, s := range []string{
		"", "{}", `{"schema":1}`, `{"schema":1,"theme":"dark","window":{"width":1e400}}`, `{"schema":2,"recent":["a"]}`,
		`{"schema":1,"last_used":{"a":"2026-11-21T00:00:00Z"}}`, `{"schema":1,"threads":99999999999}`, "\xff", `[{"schema":1}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "settings.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, _ := OpenSettings(path, quiet)
		got := s.Settings()
		if got.Threads < 0 || got.Threads > maxThreads || got.LastUsed == nil || len(got.Recent) > maxRecent {
			t.Errorf("settings %+v", got)
		}
		if err := s.SaveSettings(func(s *Settings) { s.Theme = "light" }); err != nil {
			t.Error(err)
		}
		if again, note := OpenSettings(path, quiet); note != "" || again.Settings().Theme != "light" {
			t.Errorf("after saving: note %q, settings %+v", note, again.Settings())
		}
	})
}

// The folders of dialogs are kept by purpose, and the last ones once each.
func TestFoldersAreKept(t *testing.T) {
	var f Folders
	for _, folder := range []string{"/a", "/b", "/a", "/c", "/d", "/e", "/f", "/g", "/h", "/i"} {
		before := f
		f.Keep("models", folder)
		if before.By["models"] == folder {
			t.Error("what others hold of it changes")
		}
	}
	if f.By["models"] != "/i" || len(f.Recent) != maxFolders || f.Recent[0] != "/i" || slices.Contains(f.Recent, "/b") {
		t.Errorf("kept is %+v", f)
	}
}
