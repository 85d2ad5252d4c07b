package app

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/fit"
	"inglenook/app/measure"
)

// useAll uses every part of the program that keeps something.
func useAll(home, papers string) error {
	ctx := context.Background()
	a, err := New(Options{Home: home, Threads: 1})
	if err != nil {
		return err
	}
	_ = a.SaveSettings(func(s *base.Settings) { s.Window.Panel = "chat" })
	_, _ = a.Models(ctx)
	if id, err := a.Chat().New(chat.Choices{}); err == nil {
		_ = a.Chat().SetSystem(id, "Be brief.")
	}
	_, _ = a.Chat().List("brief")
	if added, err := a.Documents().Add(ctx, documents.AddRequest{Collection: "Papers", Paths: []string{papers}}); err == nil {
		_, _ = a.Documents().Index(ctx, documents.IndexRequest{Collection: added.ID}, func(documents.Event) {}, func(base.Progress) {})
	}
	_, _ = a.Documents().Search(ctx, documents.SearchRequest{Text: "boat", Mode: documents.ModeKeyword})
	row := measure.Row{Measures: []measure.Measure{{Work: fit.WorkEmbed, Device: "cpu", Unit: "texts/s", Predicted: 2, Median: 2}}}
	result := measure.Result{When: time.Now(), Model: "starter-embed", Rows: []measure.Row{row}}
	a.KeepPredictions(result)
	_ = a.KeepPerformance(result)
	_, _ = a.PerformanceHistory("")
	_ = a.Diagnostics()
	return a.Close(ctx)
}

// TestOwnFilesThatAreNone puts something that is no regular file in the place of each
// file that the program keeps, and of each document that it indexed. Whatever comes of
// it, the program starts, works and ends.
func TestOwnFilesThatAreNone(t *testing.T) {
	apptest.Home(t)
	home, papers := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"boat.txt": "The blue boat lies in the harbour.\n", "list.csv": "boat,colour\nAnna,blue\n"} {
		if err := os.WriteFile(filepath.Join(papers, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := useAll(home, papers); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]func(path string) error{
		"a named pipe":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link to a named pipe": func(path string) error { return os.Symlink("pipe", path) },
		"a folder":               func(path string) error { return os.Mkdir(path, 0o700) },
		"a loop of links":        func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"a device":               func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	tried := 0
	for _, root := range []string{home, papers} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			for kind, put := range kinds {
				h, p := t.TempDir(), t.TempDir()
				if err := os.CopyFS(h, os.DirFS(home)); err != nil {
					return err
				}
				if err := os.CopyFS(p, os.DirFS(papers)); err != nil {
					return err
				}
				at := filepath.Join(map[string]string{home: h, papers: p}[root], name)
				if err := os.Remove(at); err != nil {
					return err
				}
				if err := syscall.Mkfifo(filepath.Join(filepath.Dir(at), "pipe"), 0o600); err != nil {
					return err
				}
				if err := put(at); err != nil {
					return err
				}
				tried++
				hangs := time.AfterFunc(5*time.Minute, func() { panic(name + " as " + kind + ": the program hangs") })
				if err := useAll(h, p); err != nil {
					t.Errorf("%s as %s: %v", name, kind, err)
				}
				hangs.Stop()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if tried < 5*8 {
		t.Errorf("only %d files were tried", tried/len(kinds))
	}
}
