package base

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/hub/hubtest"
)

// testHub is a connection that knows the Hub of a test and no other.
type testHub struct {
	*Hub
	*SettingsStore
	paths Paths
}

func newTestHub(t *testing.T, ringBroken bool) (testHub, *hubtest.Server, *apptest.Ring) {
	t.Helper()
	for _, name := range []string{"HF_TOKEN", "HF_ENDPOINT", "HF_HUB_OFFLINE", "HTTP_PROXY", "HTTPS_PROXY"} {
		t.Setenv(name, "")
	}
	server := hubtest.New()
	t.Cleanup(server.Close)
	paths := FindPaths(t.TempDir())
	settings, _ := OpenSettings(filepath.Join(paths.Config, "settings.json"), quiet)
	a := testHub{NewHub(NewLifetime(), settings, quiet, paths, false), settings, paths}
	t.Cleanup(a.Close)
	ring := &apptest.Ring{Broken: ringBroken, Kept: map[string]string{}}
	a.vault.Ring = ring
	if err := a.SetNetwork(Network{Endpoint: server.URL(), Proxy: "direct"}); err != nil {
		t.Fatal(err)
	}
	return a, server, ring
}

func TestTokenIsKeptInTheKeyring(t *testing.T) {
	a, _, ring := newTestHub(t, false)
	where, err := a.SetToken(context.Background(), " hf_secret ")
	if err != nil || where != inRing || len(ring.Kept) != 1 {
		t.Fatalf("kept %q, %v, %v", where, err, ring.Kept)
	}
	if got := a.Secrets(context.Background()); got.Token != inRing || got.Proxy != "" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(a.vault.File); err == nil {
		t.Error("there is a file of secrets as well")
	}
	if where, err := a.SetToken(context.Background(), ""); err != nil || where != "" || len(ring.Kept) != 0 {
		t.Errorf("taken away: %q, %v, %v", where, err, ring.Kept)
	}
	if _, err := a.SetToken(context.Background(), "two words"); err == nil {
		t.Error("a token with a blank was taken")
	}
}

func TestTokenIsKeptInAFileWithoutKeyring(t *testing.T) {
	a, _, ring := newTestHub(t, true)
	where, err := a.SetToken(context.Background(), "hf_secret")
	if err != nil || where != inFile {
		t.Fatalf("kept %q, %v", where, err)
	}
	info, err := os.Stat(filepath.Join(a.paths.Config, "secrets.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file: %v, %v", info, err)
	}
	again := newVault(a.paths)
	again.Ring = ring
	if got := again.Get(context.Background(), secretToken); got.Value != "hf_secret" || got.Where != inFile {
		t.Errorf("read again: %+v", got)
	}
	ring.Broken = false // the keyring works now: the secret moves there
	if where, err := a.SetToken(context.Background(), "hf_other"); err != nil || where != inRing {
		t.Errorf("kept %q, %v", where, err)
	}
	if data, _ := os.ReadFile(a.vault.File); strings.Contains(string(data), "hf_") {
		t.Errorf("the file still holds %s", data)
	}
	if err := os.WriteFile(a.vault.File, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := newVault(a.paths).InFile(); len(got) != 0 {
		t.Errorf("a damaged file holds %v", got)
	}
}

func TestTestConnection(t *testing.T) {
	a, server, _ := newTestHub(t, false)
	ctx := context.Background()
	got, err := a.TestConnection(ctx, a.Settings().Network, "", "")
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
	if _, err := a.TestConnection(ctx, n, "", ""); err == nil || !a.Offline() {
		t.Error("connected although that is forbidden")
	}
	n.Offline = false
	if err := a.SetNetwork(n); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HF_HUB_OFFLINE", "1")
	if _, err := a.TestConnection(ctx, n, "", ""); err == nil || !a.Offline() {
		t.Error("connected although HF_HUB_OFFLINE forbids it")
	}
	if seen := len(a.Connections()); seen != 1 {
		t.Errorf("%d connections, want the first alone", seen)
	}
}

// What is tested is what is given, although other settings are in force; nothing is kept of it.
func TestTestConnectionWithOtherSettings(t *testing.T) {
	a, server, _ := newTestHub(t, false)
	ctx, before := context.Background(), a.Settings().Network
	other := before
	other.Endpoint = " " + server.URL() + "/nowhere "
	if got, err := a.TestConnection(ctx, other, "", ""); err == nil {
		t.Errorf("an address that is not applied was not asked: %q", got)
	}
	for _, wrong := range []Network{{Endpoint: "ftp://example"}, {Proxy: "http://u:p@proxy:80"}} {
		if _, err := a.TestConnection(ctx, wrong, "", ""); err == nil {
			t.Errorf("%+v was not refused", wrong)
		}
	}
	if _, err := a.TestConnection(ctx, before, " hf_typed ", ""); err != nil && strings.Contains(err.Error(), "hf_typed") {
		t.Errorf("the token is told: %v", err)
	}
	if list := a.Connections(); !list[0].Token {
		t.Errorf("the token that is not applied was not sent: %+v", list[0])
	}
	if got := a.Settings().Network; got != before || a.Secrets(ctx).Token != "" {
		t.Errorf("kept: %+v", got)
	}
}

func TestSetNetworkRefuses(t *testing.T) {
	a, _, _ := newTestHub(t, false)
	before := a.Settings().Network
	for _, n := range []Network{
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
