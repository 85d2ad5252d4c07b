package settings

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/ui/uitest"
)

// What is typed and not applied is seen from every tab, stays over a change of the room, and can
// be discarded or applied.
func TestUnapplied(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	if len(p.Unapplied()) != 0 || p.network.discard.Visible() || p.server.discard.Visible() {
		t.Fatalf("at first, not applied are %q", p.Unapplied())
	}
	p.network.proxy.SetText("http://proxy.test:3128")
	p.server.port.SetText("8123")
	p.Leave()
	p.Enter()
	if got := p.Unapplied(); !slices.Equal(got, []string{"the proxy", "the port"}) {
		t.Errorf("not applied are %q", got)
	}
	tabs := p.sections.tabs
	if tabs.Options[sectionConnections] != "Connections •" || tabs.Options[sectionPrograms] != "Other programs •" || tabs.Options[sectionGeneral] != "General" {
		t.Errorf("the tabs are %q", tabs.Options)
	}
	test.Tap(p.network.discard)
	if p.network.proxy.Text != "" || tabs.Options[sectionConnections] != "Connections" || p.network.discard.Visible() {
		t.Errorf("the proxy is %q, the tabs are %q", p.network.proxy.Text, tabs.Options)
	}
	test.Tap(p.server.discard)
	if p.server.port.Text != "" || len(p.Unapplied()) != 0 {
		t.Errorf("not applied are %q", p.Unapplied())
	}
	test.Tap(p.tools.begin)
	p.tools.command.SetText("clock")
	p.store.address.SetText("postgres://anna@db.example.com/team")
	if got := p.Unapplied(); !slices.Equal(got, []string{"the tool", "the database"}) || tabs.Options[sectionPrograms] != "Other programs •" || tabs.Options[sectionAdvanced] != "Advanced •" {
		t.Errorf("not applied are %q, the tabs are %q", got, tabs.Options)
	}
	if !p.tools.pending.Flat.Visible() || p.store.pending.Segment.Text != "Not applied yet: the database." {
		t.Errorf("the cards say %q and %q", p.tools.pending.Segment.Text, p.store.pending.Segment.Text)
	}
	test.Tap(p.tools.cancel)
	test.Tap(p.store.discard)
	if len(p.Unapplied()) != 0 || p.tools.form.Visible() || p.store.address.Text != "" || tabs.Options[sectionAdvanced] != "Advanced" {
		t.Errorf("not applied are %q, the tabs are %q", p.Unapplied(), tabs.Options)
	}
	p.network.except.SetText("intranet")
	p.server.port.SetText("8123")
	p.Apply()
	b.Loop.Until(t, "that all is applied", func() bool {
		return len(p.Unapplied()) == 0 && p.server.server.Settings().Port == 8123 && p.App.Settings().Network.NoProxy == "intranet" && tabs.Options[sectionPrograms] == "Other programs"
	})
}
