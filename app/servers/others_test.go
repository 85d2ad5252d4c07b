package servers

import (
	"testing"

	"inglenook/app/base"
	"inglenook/remote/remotetest"
)

// TestOtherProcess: a server that another process adds, adds again elsewhere with another token, or
// removes is so here at once, and nothing is sent to where it was before.
func TestOtherProcess(t *testing.T) {
	folder := t.TempDir()
	here, settings, _ := serviceIn(t, folder)
	there, _, _ := serviceIn(t, folder)
	embeds := func() error {
		e, err := here.Embedder(t.Context(), "lab/some-embedder")
		if err == nil {
			defer e.Close()
		}
		return err
	}
	if err := settings.SaveSettings(func(x *base.Settings) { x.Theme = "dark" }); err != nil {
		t.Fatal(err)
	}
	var stamps []string
	var doubles []*remotetest.Server
	for _, token := range []string{"the-first-token", "the-second-token", "the-third-token"} {
		d := remotetest.New(t)
		d.Token = token
		doubles = append(doubles, d)
		if _, err := there.Add(t.Context(), AddRequest{Addresses: []string{d.URL}, Name: "lab", Token: token}); err != nil {
			t.Fatal(err)
		}
		if list := here.List(); len(list) != 1 || list[0].Addresses[0] != d.URL {
			t.Fatalf("the list is %+v", list)
		}
		before := len(doubles[0].Bodies())
		if err := embeds(); err != nil {
			t.Fatal(err)
		}
		if len(doubles) > 1 && len(doubles[0].Bodies()) != before {
			t.Error("the server is asked where it was before")
		}
		stamps = append(stamps, here.Stamp("lab"))
	}
	if stamps[0] == stamps[1] || stamps[1] == stamps[2] {
		t.Errorf("stamps %q", stamps)
	}
	if err := there.Remove(t.Context(), "lab"); err != nil {
		t.Fatal(err)
	}
	if err := embeds(); err == nil || here.Names("lab/some-embedder") {
		t.Errorf("after its removal: %v", err)
	}
	if settings.Settings().Theme != "dark" {
		t.Error("another setting changed")
	}
}
