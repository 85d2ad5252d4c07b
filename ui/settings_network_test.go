package ui

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestNetworkSettings(t *testing.T) {
	d := newDouble()
	d.hub.where = "in the system's keyring"
	b, p := inSettings(t, d)
	c := p.network
	c.endpoint.SetText("https://mirror.test")
	c.proxy.SetText("http://proxy.test:3128")
	c.user.SetText("me")
	c.password.SetText("secret")
	c.token.SetText(" hf_x ")
	test.Tap(c.apply)
	b.loop.until(t, "the settings", func() bool { return strings.HasPrefix(c.result.segment.Text, "Applied.") })
	if n := d.Settings().Network; n.Endpoint != "https://mirror.test" || n.Proxy != "http://proxy.test:3128" || n.ProxyUser != "me" || n.Offline {
		t.Errorf("set: %+v", n)
	}
	if d.hub.token != "hf_x" || d.hub.password != "secret" || c.token.Text != "" || c.password.Text != "" {
		t.Errorf("the token is %q, the password %q; the fields hold %q and %q", d.hub.token, d.hub.password, c.token.Text, c.password.Text)
	}
	if got := c.kept.segment.Text; got != "Kept in the system's keyring." || !c.forget.Visible() {
		t.Errorf("told: %s", got)
	}
	test.Tap(c.forget)
	b.loop.until(t, "the token to go", func() bool { return d.hub.token == "" && !c.forget.Visible() })

	c.endpoint.SetText("ftp://x")
	test.Tap(c.apply)
	b.loop.until(t, "a refusal", func() bool { return strings.Contains(c.result.segment.Text, "not an address") })
	if n := d.Settings().Network; n.Endpoint != "https://mirror.test" {
		t.Errorf("set: %+v", n)
	}
	c.endpoint.SetText("")
	c.offline.SetChecked(true)
	b.loop.until(t, "the switch", func() bool { return d.Settings().Network.Offline })
}

func TestTestConnectionButton(t *testing.T) {
	d := newDouble()
	b, p := inSettings(t, d)
	c := p.network
	test.Tap(c.test)
	b.loop.until(t, "an answer", func() bool { return strings.Contains(c.result.segment.Text, "answers") })
	if len(c.past.Objects) != 1 || c.test.Disabled() {
		t.Errorf("%d connections are listed", len(c.past.Objects))
	}
	d.mu.Lock()
	d.hub.failing = errors.New("hub.test does not answer; check the connection")
	d.mu.Unlock()
	test.Tap(c.test)
	b.loop.until(t, "a failure", func() bool { return strings.Contains(c.result.segment.Text, "does not answer") })
}
