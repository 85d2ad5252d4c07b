package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/texts"
)

// On a disk that is full or read-only, the program starts, works and says what is wrong.
func TestFullAndReadOnlyDisk(t *testing.T) {
	disk := apptest.SmallDisk(t, "64k")
	work := func(when string) {
		apptest.Home(t)
		a, err := New(Options{Home: filepath.Join(disk, "home")})
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		useDouble(a, &double{})
		if first, err := a.Claim(nil, nil); !first || err != nil {
			t.Errorf("%s: first %v, error %v", when, first, err)
		}
		if _, err := a.Similarity(context.Background(), texts.SimilarityRequest{Texts: []string{"x", "y"}}, nil); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if err := a.SaveSettings(func(s *base.Settings) { s.Theme = "dark" }); err == nil || !strings.Contains(err.Error(), "could not be saved") {
			t.Errorf("%s: saving gives %v", when, err)
		}
		if a.Settings().Theme != "dark" {
			t.Errorf("%s: the setting does not hold", when)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	free := apptest.Fill(t, disk)
	work("full from the start")
	free()
	a, err := New(Options{Home: filepath.Join(disk, "home")})
	if err != nil || len(a.Notices()) > 0 || a.Settings().Theme != "system" {
		t.Errorf("with room again: notices %q, error %v", a.Notices(), err)
	}
	if err := a.SaveSettings(func(s *base.Settings) { s.Threads = 1 }); err != nil {
		t.Error(err)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	apptest.Fill(t, disk)
	work("full in the middle")
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("the small disk cannot be made read-only here")
	}
	work("read-only")
}

// TestIndexOnAFullDisk fills the disk at several moments of an index. One sentence
// says what is wrong and what to do, and what was indexed before is still found.
func TestIndexOnAFullDisk(t *testing.T) {
	ctx := context.Background()
	papers := t.TempDir()
	for i := range 300 {
		text := fmt.Sprintf("Letter %d about boat %d.\n\n%s\n", i, i*7, strings.Repeat(fmt.Sprintf("The harbour master of place %d wrote it down. ", i), 8))
		if err := os.WriteFile(filepath.Join(papers, fmt.Sprintf("%03d.txt", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []string{"64k", "128k", "256k", "512k", "1m"} {
		disk := apptest.SmallDisk(t, size)
		apptest.Home(t)
		a, err := New(Options{Home: filepath.Join(disk, "home")})
		if err != nil {
			t.Fatal(err)
		}
		added, err := a.Documents().Add(ctx, documents.AddRequest{Collection: "Letters", Paths: []string{papers}})
		if err == nil {
			_, err = a.Documents().Index(ctx, documents.IndexRequest{Collection: added.ID}, func(documents.Event) {}, func(base.Progress) {})
		}
		if err == nil {
			t.Fatalf("a disk of %s takes all", size)
		}
		if said := err.Error(); !strings.Contains(said, "is full; free some space") || strings.ContainsAny(said, "\n()") {
			t.Errorf("%s: %q", size, said)
		}
		if err := a.Close(ctx); err != nil {
			t.Errorf("%s: %v", size, err)
		}
	}
}
