package settings

import (
	"log/slog"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/tools"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// TestToolServers adds, changes, tries, switches off and removes a tool server.
func TestToolServers(t *testing.T) {
	d := uitest.NewApp()
	d.Servers = tools.New(base.NewLifetime(), slog.New(slog.DiscardHandler), base.Paths{Config: t.TempDir()}, nil, nil)
	b, p := inSettings(t, d)
	c := p.tools
	c.name.SetText("Clock")
	test.Tap(c.add)
	b.Loop.Until(t, "the reason", func() bool { return strings.Contains(uitest.AllText(c.view), "needs a command or a web address") })
	c.command.SetText("there-is-no-such-clock --utc")
	c.extra.SetText("TZ=UTC")
	test.Tap(c.try)
	b.Loop.Until(t, "that it cannot start", func() bool {
		return strings.Contains(uitest.AllText(c.view), "here is no program “there-is-no-such-clock”")
	})
	test.Tap(c.add)
	b.Loop.Until(t, "the server", func() bool { return len(c.list.Objects) == 1 && c.name.Text == "" })
	if s := d.Servers.Servers()[0]; s.Command != "there-is-no-such-clock --utc" || s.Extra[0] != "TZ=UTC" || s.Off {
		t.Errorf("%+v", s)
	}
	test.Tap(uitest.FindButton(t, c.list, "Edit"))
	c.command.SetText("http://127.0.0.1:9/mcp")
	test.Tap(c.add)
	b.Loop.Until(t, "the change", func() bool {
		s := d.Servers.Servers()
		return len(s) == 1 && s[0].Address == "http://127.0.0.1:9/mcp" && c.editing == ""
	})
	on, _ := uitest.Find(c.list, func(x *kit.Check) bool { return x.Text == "Clock" })
	on.SetChecked(false)
	b.Loop.Until(t, "that it is off", func() bool { return d.Servers.Servers()[0].Off })
	b.Loop.Until(t, "the list", func() bool {
		on, ok := uitest.Find(c.list, func(x *kit.Check) bool { return x.Text == "Clock" })
		return ok && !on.Checked
	})
	test.Tap(uitest.FindButton(t, c.list, "Remove"))
	b.Loop.Until(t, "that it is gone", func() bool { return len(d.Servers.Servers()) == 0 && len(c.list.Objects) == 0 })
	if c.name.Text != "Clock" {
		t.Error("it cannot be taken back")
	}
}
