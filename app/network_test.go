package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"inglenook/app/base"
	"inglenook/hub/hubtest"
)

// testRing is a keyring in memory; broken, one that is not there.
type testRing struct {
	broken bool
	mu     sync.Mutex
	kept   map[string]string
}

var errNoRing = errors.New("no such name on the bus")

func (r *testRing) Get(_, account string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken {
		return "", errNoRing
	}
	return r.kept[account], nil
}

func (r *testRing) Set(_, account, secret string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken {
		return errNoRing
	}
	r.kept[account] = secret
	return nil
}

func (r *testRing) Delete(_, account string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.kept, account)
	return nil
}

// networkApp is an application that knows the Hub of a test and no other.
func networkApp(t *testing.T, ringBroken bool) (*App, *hubtest.Server, *testRing) {
	t.Helper()
	for _, name := range []string{"HF_TOKEN", "HF_ENDPOINT", "HF_HUB_OFFLINE", "HTTP_PROXY", "HTTPS_PROXY"} {
		t.Setenv(name, "")
	}
	server := hubtest.New()
	t.Cleanup(server.Close)
	a := newTestApp(t, &double{})
	ring := &testRing{broken: ringBroken, kept: map[string]string{}}
	a.hubPart.Vault.Ring = ring
	if err := a.SetNetwork(base.Network{Endpoint: server.URL(), Proxy: "direct"}); err != nil {
		t.Fatal(err)
	}
	return a, server, ring
}

func TestTokenIsKeptInTheKeyring(t *testing.T) {
	a, _, ring := networkApp(t, false)
	where, err := a.SetToken(context.Background(), " hf_secret ")
	if err != nil || where != base.InRing || len(ring.kept) != 1 {
		t.Fatalf("kept %q, %v, %v", where, err, ring.kept)
	}
	if got := a.Secrets(context.Background()); got.Token != base.InRing || got.Proxy != "" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(a.hubPart.Vault.File); err == nil {
		t.Error("there is a file of secrets as well")
	}
	if where, err := a.SetToken(context.Background(), ""); err != nil || where != "" || len(ring.kept) != 0 {
		t.Errorf("taken away: %q, %v, %v", where, err, ring.kept)
	}
	if _, err := a.SetToken(context.Background(), "two words"); err == nil {
		t.Error("a token with a blank was taken")
	}
}

func TestTokenIsKeptInAFileWithoutKeyring(t *testing.T) {
	a, _, ring := networkApp(t, true)
	where, err := a.SetToken(context.Background(), "hf_secret")
	if err != nil || where != base.InFile {
		t.Fatalf("kept %q, %v", where, err)
	}
	info, err := os.Stat(filepath.Join(a.paths.Config, "secrets.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file: %v, %v", info, err)
	}
	again := base.NewVault(a.paths)
	again.Ring = ring
	if got := again.Get(context.Background(), base.SecretToken); got.Value != "hf_secret" || got.Where != base.InFile {
		t.Errorf("read again: %+v", got)
	}
	ring.broken = false // the keyring is there now: the secret moves
	if where, err := a.SetToken(context.Background(), "hf_other"); err != nil || where != base.InRing {
		t.Errorf("kept %q, %v", where, err)
	}
	if data, _ := os.ReadFile(a.hubPart.Vault.File); strings.Contains(string(data), "hf_") {
		t.Errorf("the file still holds %s", data)
	}
	if err := os.WriteFile(a.hubPart.Vault.File, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := base.NewVault(a.paths).InFile(); len(got) != 0 {
		t.Errorf("a damaged file holds %v", got)
	}
}

func TestTestConnection(t *testing.T) {
	a, server, _ := networkApp(t, false)
	ctx := context.Background()
	got, err := a.TestConnection(ctx)
	if err != nil || got != server.URL()+" answers; no token was sent." {
		t.Errorf("%q, %v", got, err)
	}
	list := a.Connections()
	if len(list) != 1 || list[0].Token || list[0].Status != 200 || !strings.HasPrefix(list[0].URL, server.URL()) {
		t.Errorf("the connections are %+v", list)
	}
	n := a.Settings().Network
	n.Offline = true
	if err := a.SetNetwork(n); err != nil {
		t.Fatal(err)
	}
	if _, err := a.TestConnection(ctx); err == nil || !a.Offline() {
		t.Error("connected although that is forbidden")
	}
	n.Offline = false
	if err := a.SetNetwork(n); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HF_HUB_OFFLINE", "1")
	if _, err := a.TestConnection(ctx); err == nil || !a.Offline() {
		t.Error("connected although HF_HUB_OFFLINE forbids it")
	}
	if seen := len(a.Connections()); seen != 1 {
		t.Errorf("%d connections, want the first alone", seen)
	}
}

func TestSetNetworkRefuses(t *testing.T) {
	a, _, _ := networkApp(t, false)
	before := a.Settings().Network
	for _, n := range []base.Network{
		{Endpoint: "ftp://example"}, {Endpoint: "https://user@example"}, {Proxy: "no address"}, {Proxy: "http://u:p@proxy:80"}, {Limit: -1},
	} {
		if err := a.SetNetwork(n); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", n, err)
		}
	}
	if a.Settings().Network != before {
		t.Error("something was changed")
	}
}
