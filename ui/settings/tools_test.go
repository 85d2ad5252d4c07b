package settings

import (
	"log/slog"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

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
	if c.form.Visible() || c.tryAll.Visible() {
		t.Error("the form is in view although nobody adds anything, or there is something to try")
	}
	test.Tap(c.begin)
	if !c.form.Visible() || c.closed.Visible() {
		t.Fatal("there is no form")
	}
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
	b.Loop.Until(t, "the server", func() bool { return len(c.list.Objects) == 1 && c.name.Text == "" && !c.form.Visible() })
	if got := c.result.Segment.Text; !strings.HasPrefix(got, "Kept, though it did not work when you tried it.") {
		t.Errorf("of a server whose try failed: %s", got)
	}
	test.Tap(c.tryAll)
	b.Loop.Until(t, "why there is no tool", func() bool { return strings.Contains(c.result.Segment.Text, "offers no tools now") })
	if got := c.result.Segment; !strings.HasPrefix(got.Text, "The tool server “Clock” ") || got.Style.ColorName != theme.ColorNameWarning {
		t.Errorf("the failure is told in %s: %s", got.Style.ColorName, got.Text)
	}
	if s := d.Servers.Servers()[0]; s.Command != "there-is-no-such-clock --utc" || s.Extra[0] != "TZ=UTC" || s.Off {
		t.Errorf("%+v", s)
	}
	test.Tap(uitest.FindButton(t, c.list, "Edit"))
	if !c.form.Visible() || c.name.Text != "Clock" || c.add.Text != "Save" {
		t.Errorf("to edit, there is %q with %q", c.name.Text, c.add.Text)
	}
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
	b.Loop.Until(t, "that it is gone", func() bool {
		return len(d.Servers.Servers()) == 0 && len(c.list.Objects) == 0 && !c.tryAll.Visible()
	})
	if b.Offered.Button != "Undo" {
		t.Fatalf("offered is %q", b.Offered.Button)
	}
	b.Offered.Act()
	b.Loop.Until(t, "that it is back", func() bool {
		return len(d.Servers.Servers()) == 1 && len(c.list.Objects) == 1 && d.Servers.Servers()[0].Off
	})
}

// What a try found is one piece of text that does not contradict itself.
func TestFoundText(t *testing.T) {
	one := []tools.Tool{{Name: "now"}}
	for _, c := range []struct {
		found []tools.Tool
		notes []string
		all   bool
		want  string
	}{
		{one, nil, false, "It works and has 1 tool: now."},
		{one, []string{"the tool server “Sea” offers no tools now"}, true, "A chat can use 1 tool: now. The tool server “Sea” offers no tools now."},
		{nil, []string{"it is away"}, true, "It is away."},
		{nil, nil, false, "It answers, but has no tools."},
		{nil, nil, true, "No tool server here has a tool, or none is switched on."},
	} {
		if got := foundText(c.found, c.notes, c.all); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
