package servers

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/base"
	"inglenook/remote/remotetest"
)

func newService(t *testing.T) (*Service, *base.SettingsStore, base.Paths) {
	t.Helper()
	return serviceIn(t, t.TempDir())
}

// serviceIn is that of another process, where one in the folder is open.
func serviceIn(t *testing.T, folder string) (*Service, *base.SettingsStore, base.Paths) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	p := base.FindPaths(folder)
	log := slog.New(slog.DiscardHandler)
	settings, _ := base.OpenSettings(filepath.Join(p.Config, "settings.json"), log)
	life := base.NewLifetime()
	s := New(life, settings, log, base.NewHub(life, settings, log, p, false))
	t.Cleanup(func() { s.Close() })
	return s, settings, p
}

// TestAdd: a server is kept with its models and without its token, found by its name, and
// forgotten with its token.
func TestAdd(t *testing.T) {
	s, _, p := newService(t)
	d := remotetest.New(t)
	d.Token = "very-secret-token"
	with := strings.Replace(d.URL, "http://", "http://:"+d.Token+"@", 1)
	if _, err := s.Add(t.Context(), AddRequest{Addresses: []string{d.URL}, Name: "lab"}); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("without a token: %v", err)
	}
	got, err := s.Add(t.Context(), AddRequest{Addresses: []string{with}, Name: "lab"})
	if err != nil || got.Replaced || got.Leaves != "" || got.Token == "" || len(got.Models) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	kept, err := os.ReadFile(filepath.Join(p.Config, "settings.json"))
	if err != nil || strings.Contains(string(kept), d.Token) || !strings.Contains(string(kept), "some-embedder") {
		t.Errorf("settings %s, %v", kept, err)
	}
	m, ok, err := s.Find(t.Context(), "lab/some-embedder")
	if !ok || err != nil || m.Kind != "embedding" {
		t.Errorf("%+v %v %v", m, ok, err)
	}
	if _, ok, _ := s.Find(t.Context(), "org/some-embedder"); ok {
		t.Error("a model of no server is found")
	}
	if _, _, err := s.Find(t.Context(), "lab/other"); err == nil || !strings.Contains(err.Error(), "it has: talker") {
		t.Errorf("a model that is not there: %v", err)
	}
	d.Lock()
	d.Models = append(d.Models, "other")
	d.Unlock()
	if m, ok, err := s.Find(t.Context(), "lab/other"); !ok || err != nil || m.Kind != "chat" {
		t.Errorf("a model that came later: %+v %v %v", m, ok, err)
	}
	if again, err := s.Add(t.Context(), AddRequest{Addresses: []string{d.URL}, Name: "lab"}); err != nil || !again.Replaced {
		t.Errorf("again, with the token that is kept: %+v, %v", again, err)
	}
	thief := remotetest.New(t)
	seen := ""
	thief.Fault = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		seen += r.Header.Get("Authorization")
		return false
	}
	other, err := s.Add(t.Context(), AddRequest{Addresses: []string{thief.URL}, Name: "lab"})
	if err != nil || !other.Replaced || !slices.Equal(other.Before, got.Addresses) || other.Token != "" || seen != "" {
		t.Errorf("another server of that name: %+v, %v; it was sent %q", other, err, seen)
	}
	if again, err := s.Add(t.Context(), AddRequest{Addresses: []string{d.URL}, Name: "lab"}); err == nil {
		t.Errorf("the token of a server that was replaced is still kept: %+v", again)
	}
	if s.Former("lab") {
		t.Error("a server that is there was removed")
	}
	if err := s.Remove(t.Context(), "lab"); err != nil || len(s.List()) != 0 || !s.Former("lab") || s.Former("other") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(p.Config, "secrets.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of tokens is left after the last one: %v", err)
	}
	if err := s.Remove(t.Context(), "lab"); err == nil || !strings.Contains(err.Error(), "nor any other") {
		t.Error(err)
	}
}

func TestAddRefuses(t *testing.T) {
	s, _, _ := newService(t)
	a, b := remotetest.New(t), remotetest.New(t)
	b.Models = []string{"another"}
	for want, r := range map[string]AddRequest{
		"no address":        {},
		"not the address":   {Addresses: []string{"ftp://x"}},
		"given twice":       {Addresses: []string{a.URL, a.URL + "/v1"}},
		"cannot be the":     {Addresses: []string{a.URL}, Name: "a/b"},
		"none of the model": {Addresses: []string{a.URL, b.URL}},
	} {
		if _, err := s.Add(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v; want %q", r, err, want)
		}
	}
	if len(s.List()) != 0 {
		t.Errorf("kept: %v", s.List())
	}
}

// TestCheck: what answers is told, and what does not, with the reason.
func TestCheck(t *testing.T) {
	s, _, _ := newService(t)
	a, b := remotetest.New(t), remotetest.New(t)
	if _, err := s.Add(t.Context(), AddRequest{Addresses: []string{a.URL, b.URL}, Name: "lab"}); err != nil {
		t.Fatal(err)
	}
	b.Lock()
	b.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		remotetest.Error(w, 500, "broken")
		return true
	}
	b.Unlock()
	list, err := s.Check(t.Context())
	if err != nil || len(list) != 1 || !list[0].States[0].Up || list[0].States[1].Up || !strings.Contains(list[0].States[1].Why, "broken") {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestTokensOfAddresses: a token that stands in one address is not sent to another one.
func TestTokensOfAddresses(t *testing.T) {
	s, _, _ := newService(t)
	a, b := remotetest.New(t), remotetest.New(t)
	with := func(d *remotetest.Server, token string) string {
		return strings.Replace(d.URL, "http://", "http://u:"+token+"@", 1)
	}
	for _, r := range []AddRequest{
		{Addresses: []string{with(a, "first-secret"), with(b, "second-secret")}},
		{Addresses: []string{with(a, "first-secret"), b.URL}},
		{Addresses: []string{a.URL, with(b, "second-secret")}},
		{Addresses: []string{with(a, "first-secret"), b.URL}, Token: "third-secret"},
	} {
		_, err := s.Add(t.Context(), r)
		if err == nil || !strings.Contains(err.Error(), "give each address its own server, or one token for all") || strings.Contains(err.Error(), "-secret") {
			t.Errorf("%q: %v", r.Addresses, err)
		}
	}
	if n := len(a.Bodies()) + len(b.Bodies()); n != 0 || len(s.List()) != 0 {
		t.Errorf("%d requests, kept %v", n, s.List())
	}
	a.Token, b.Token = "one-secret", "one-secret"
	if _, err := s.Add(t.Context(), AddRequest{Addresses: []string{with(a, "one-secret"), with(b, "one-secret")}, Name: "lab"}); err != nil {
		t.Errorf("one token in both: %v", err)
	}
	if _, err := s.Add(t.Context(), AddRequest{Addresses: []string{a.URL, b.URL}, Token: "one-secret", Name: "lab2"}); err != nil {
		t.Errorf("one token for both: %v", err)
	}
}
