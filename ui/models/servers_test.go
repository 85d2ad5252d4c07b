package models

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/remote/remotetest"
	"inglenook/ui/uitest"
)

// TestServers adds a server, shows its models and where texts go, sees that it stopped, and
// removes it.
func TestServers(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	d := uitest.NewApp()
	d.Elsewhere = uitest.Engines(t.TempDir())
	double := remotetest.New(t)
	double.Token = "very-secret-token"
	b := inModels(t, d)
	turnTo(b, tabServers)
	l := b.models.servers
	l.address.SetText("nothing at all")
	test.Tap(l.add)
	b.Loop.Until(t, "that it is no address", func() bool { return strings.Contains(uitest.AllText(l.view), "cannot be reached") })
	l.address.SetText(double.URL)
	l.name.SetText("lab")
	test.Tap(l.add)
	b.Loop.Until(t, "that a token is wanted", func() bool { return strings.Contains(uitest.AllText(l.view), "wants a token") })
	l.token.SetText(double.Token)
	test.Tap(l.add)
	b.Loop.Until(t, "the server", func() bool { return len(l.list.Objects) == 1 && l.address.Text == "" && l.token.Text == "" })
	text := uitest.AllText(l.view)
	for _, part := range []string{"lab", "OpenAI-compatible", "so texts stay here", "answers"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in %s", part, text)
		}
	}
	uitest.FindButton(t, l.list, "some-embedder · Comparing texts")
	double.Close()
	test.Tap(l.check)
	b.Loop.Until(t, "that it stopped", func() bool { return strings.Contains(uitest.AllText(l.list), "annot be reached") })
	test.Tap(uitest.FindButton(t, l.list, "Remove"))
	b.Loop.Until(t, "that it is gone", func() bool { return len(l.list.Objects) == 0 && l.name.Text == "lab" })
}
