package servers

import (
	"strings"
	"testing"

	"inglenook/app/base"
	"inglenook/pipeline"
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

// TestOpenModelsOfARemovedServer: what is open sends nothing any more to a server that was removed
// or added again elsewhere, here or by another process, and says why.
func TestOpenModelsOfARemovedServer(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, s *Service){
		"removed": func(t *testing.T, s *Service) {
			if err := s.Remove(t.Context(), "lab"); err != nil {
				t.Fatal(err)
			}
		},
		"elsewhere": func(t *testing.T, s *Service) {
			if _, err := s.Add(t.Context(), AddRequest{Addresses: []string{remotetest.New(t).URL}, Name: "lab"}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, other := range []bool{false, true} {
			folder := t.TempDir()
			here, _, _ := serviceIn(t, folder)
			by := here
			if other {
				by, _, _ = serviceIn(t, folder)
			}
			d := remotetest.New(t)
			if _, err := here.Add(t.Context(), AddRequest{Addresses: []string{d.URL}, Name: "lab"}); err != nil {
				t.Fatal(err)
			}
			e, err := here.Embedder(t.Context(), "lab/some-embedder")
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if _, err := e.Embed(t.Context(), []string{"before"}, pipeline.EmbedRequest{}); err != nil {
				t.Fatal(err)
			}
			leave(t, by)
			sent := len(d.Bodies())
			_, err = e.Embed(t.Context(), []string{"after"}, pipeline.EmbedRequest{})
			if err == nil || !strings.Contains(err.Error(), "nothing more is sent") || len(d.Bodies()) != sent {
				t.Errorf("%s, by another process %v: %v, %d more requests", name, other, err, len(d.Bodies())-sent)
			}
		}
	}
}
