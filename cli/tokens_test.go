package cli

import (
	"strings"
	"testing"
	"time"
)

// Tokens are made, listed and revoked; a secret is printed once.
func TestTokens(t *testing.T) {
	run := inOneHome(t)
	if got := run("tokens", "list").ok(t).stdout; !strings.Contains(got, "there are no tokens") {
		t.Error(got)
	}
	made := run("tokens", "add", "editor")
	secret := strings.TrimSpace(made.stdout)
	if !strings.HasPrefix(secret, "inglenook-") || !strings.Contains(made.stderr, "the only time") {
		t.Errorf("%+v", made)
	}
	second := decode[map[string]string](t, run("tokens", "add", "note book", "--json").ok(t).stdout)
	if second["name"] != "note book" || !strings.HasPrefix(second["token"], "inglenook-") || second["token"] == secret {
		t.Error(second)
	}
	type listed struct {
		Name string
		Made time.Time
	}
	text := run("tokens", "list", "--json").ok(t).stdout
	if list := decode[[]listed](t, text); len(list) != 2 || list[0].Name != "editor" || list[1].Made.IsZero() || strings.Contains(text, secret) {
		t.Error(text)
	}
	if o := run("tokens", "add", "editor"); o.code != exitFailed || !strings.Contains(o.stderr, "already") {
		t.Errorf("%+v", o)
	}
	run("tokens", "remove", "editor").ok(t)
	if o := run("tokens", "remove", "editor"); o.code != exitFailed || !strings.Contains(o.stderr, "there is no token “editor”") {
		t.Errorf("%+v", o)
	}
	if got := run("tokens", "list").ok(t).stdout; strings.Contains(got, "editor") || !strings.Contains(got, "note book") {
		t.Error(got)
	}
}
