package settings

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/ui/uitest"
)

// TestStore chooses a database, whose password is not shown afterwards, and this computer again.
func TestStore(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.store
	test.Tap(c.use)
	if !strings.Contains(uitest.AllText(c.view), "Give the address") {
		t.Error("an empty address is taken")
	}
	d.Failing = errors.New("the database cannot be reached")
	c.address.SetText("postgres://anna@db.example.com/team")
	c.password.SetText("secret")
	test.Tap(c.use)
	b.Loop.Until(t, "the reason", func() bool { return strings.Contains(uitest.AllText(c.view), "cannot be reached") })
	d.Failing = nil
	test.Tap(c.use)
	b.Loop.Until(t, "the database", func() bool {
		return strings.Contains(uitest.AllText(c.view), "They are in postgres://anna@db.example.com/team.")
	})
	if c.password.Text != "" || len(d.Passwords) != 1 || d.Passwords[0] != "secret" || !c.back.Visible() {
		t.Errorf("password %q, given %q", c.password.Text, d.Passwords)
	}
	test.Tap(c.back)
	b.Loop.Until(t, "this computer", func() bool {
		return strings.Contains(uitest.AllText(c.view), "They are on this computer.") && !c.back.Visible()
	})
}
