package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/apptest"
)

// A program whose folder cannot be written starts all the same, and says in plain words what
// is lost and what to do.
func TestUnwritableHome(t *testing.T) {
	apptest.Home(t)
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "data"), []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	homes := map[string]string{home: "A file lies where Inglenook's folder"}
	if os.Getuid() != 0 { // who is root may write everywhere
		locked := t.TempDir()
		if err := os.Chmod(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		homes[locked] = "Inglenook may not write to its folder"
	}
	for home, want := range homes {
		a, err := app.New(app.Options{Home: home, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(a.Notices(), " ")
		if !strings.HasPrefix(got, want) || !strings.Contains(got, "are not kept") || !strings.Contains(got, "start it again") {
			t.Errorf("%q", got)
		}
		if err := a.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
