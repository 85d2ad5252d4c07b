package settings

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

func TestNetworkSettings(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Where = "in the system's keyring"
	b, p := inSettings(t, d)
	c := p.network
	c.endpoint.SetText("https://mirror.test")
	c.proxy.SetText("http://proxy.test:3128")
	c.user.SetText("me")
	c.password.SetText("secret")
	c.token.SetText(" hf_x ")
	test.Tap(c.apply)
	b.Loop.Until(t, "the settings", func() bool { return strings.HasPrefix(c.result.Segment.Text, "Applied.") })
	if n := d.Settings().Network; n.Endpoint != "https://mirror.test" || n.Proxy != "http://proxy.test:3128" || n.ProxyUser != "me" || n.Offline {
		t.Errorf("set: %+v", n)
	}
	if d.Hub.Token != "hf_x" || d.Hub.Password != "secret" || c.token.Text != "" || c.password.Text != "" {
		t.Errorf("the token is %q, the password %q; the fields hold %q and %q", d.Hub.Token, d.Hub.Password, c.token.Text, c.password.Text)
	}
	if got := c.kept.Segment.Text; got != "Kept in the system's keyring." || !c.forget.Visible() {
		t.Errorf("told: %s", got)
	}
	test.Tap(c.forget)
	b.Loop.Until(t, "the token to go", func() bool { return d.Hub.Token == "" && !c.forget.Visible() })

	c.endpoint.SetText("ftp://x")
	test.Tap(c.apply)
	b.Loop.Until(t, "a refusal", func() bool { return strings.Contains(c.result.Segment.Text, "The address is not complete") })
	if n := d.Settings().Network; n.Endpoint != "https://mirror.test" {
		t.Errorf("set: %+v", n)
	}
	c.endpoint.SetText("")
	c.offline.SetChecked(true)
	b.Loop.Until(t, "the switch", func() bool { return d.Settings().Network.Offline })
}

func TestTestConnectionButton(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.network
	test.Tap(c.test)
	b.Loop.Until(t, "an answer", func() bool { return strings.Contains(c.result.Segment.Text, "answers") })
	if len(c.past.Objects) != 1 || c.test.Disabled() {
		t.Errorf("%d connections are listed", len(c.past.Objects))
	}
	d.Mu.Lock()
	d.Hub.Failing = errors.New("hub.test does not answer; check the connection")
	d.Mu.Unlock()
	test.Tap(c.test)
	b.Loop.Until(t, "a failure", func() bool { return strings.Contains(c.result.Segment.Text, "does not answer") })
}

// A request that a person stopped, or that ended because they typed on, is no failure.
func TestOutcome(t *testing.T) {
	for _, x := range []struct {
		c     base.Connection
		text  string
		color fyne.ThemeColorName
	}{
		{base.Connection{Status: 200}, "200", kit.ColorMuted},
		{base.Connection{Status: 404}, "404", theme.ColorNameWarning},
		{base.Connection{Error: "connection refused"}, "failed", theme.ColorNameWarning},
		{base.Connection{Error: "context canceled", Stopped: true}, "stopped", kit.ColorMuted},
		{base.Connection{Status: 200, Error: "context canceled", Stopped: true}, "stopped", kit.ColorMuted},
	} {
		if text, color := outcome(x.c); text != x.text || color != x.color {
			t.Errorf("%+v: %s, %s", x.c, text, color)
		}
	}
}
