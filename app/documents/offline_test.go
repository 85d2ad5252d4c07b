package documents_test

import (
	"context"
	"strings"
	"testing"

	"inglenook/app"
)

// Offline, nothing asks a database of another computer, by no way: 192.0.2.7 is nobody's.
func TestOfflineDatabase(t *testing.T) {
	a, err := app.New(app.Options{Home: t.TempDir(), Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(context.Background()) })
	s := a.Documents()
	const elsewhere = "postgres://me@192.0.2.7/team"
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "works offline, and the database is not on this computer") {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("trying it", s.TryDatabase(t.Context(), elsewhere))
	if err := s.UseDatabase(elsewhere); err != nil {
		t.Fatal(err)
	}
	_, err = s.Collections(t.Context())
	refused("its collections", err)
	if err := s.UseDatabase(""); err != nil {
		t.Fatal(err)
	}
	err = s.TryDatabase(t.Context(), "postgres://me@127.0.0.1:1/team?connect_timeout=1")
	if err == nil || strings.Contains(err.Error(), "offline") {
		t.Errorf("a database of this computer: %v", err)
	}
}
