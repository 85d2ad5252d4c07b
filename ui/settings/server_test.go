package settings

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/server"
	"inglenook/server/local"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// TestServer switches the server on and off, shows who asked and what ran, and why it cannot begin.
func TestServer(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	c := p.server
	s := c.server.(*scripted.Server)
	if c.on.Checked || !strings.Contains(uitest.AllText(c.view), "The server is off.") || c.address.Text != "http://127.0.0.1:11435" {
		t.Errorf("at first: %s", uitest.AllText(c.view))
	}
	test.Tap(c.on)
	b.Loop.Until(t, "that it is on", func() bool { return s.State().On && strings.Contains(uitest.AllText(c.view), "Nobody yet.") })
	now := time.Now()
	s.Show(func(st *local.State) {
		st.Clients = []server.Client{{Name: "OpenAI/Python 3.54.0", Address: "127.0.0.1", Token: "notebook", Requests: 2, Active: 1, Last: now}, {Address: "10.0.0.9", Requests: 1, Last: now.Add(-time.Minute)}, {Name: "curl/8.5", Address: "127.0.0.1", Refused: 3, Last: now}}
		st.Active = []server.Request{{Time: now, Route: "/v1/chat/completions", Model: "starter-chat", MS: 1500}}
		st.Recent = []server.Request{{Time: now, Route: "/v1/embeddings", Model: "starter-embed", Device: "cpu", Status: 200, MS: 12}, {Time: now, Route: "other", Status: 404}, {Time: now, Route: "/api/chat", Model: "a\u202eb", Status: 499, MS: 20, Rate: 40}}
	})
	for _, want := range []string{"OpenAI/Python 3.54.0 · key “notebook” · 2 requests · waits for an answer now", "a program without a name · from 10.0.0.9 · 1 request · last at ", "an answer · starter-chat · since ", "curl/8.5 · refused 3 times, without an access key that is valid · last at ", "vectors · starter-embed", "refused (404)", "cancelled after"} {
		b.Loop.Until(t, want, func() bool { return strings.Contains(uitest.AllText(c.view), want) })
	}
	if strings.Contains(uitest.AllText(c.view), "\u202e") {
		t.Error("a hidden character is shown")
	}
	test.Tap(c.on)
	b.Loop.Until(t, "that it is off", func() bool { return !s.State().On && !c.on.Checked })
	s.Taken = true
	test.Tap(c.on)
	b.Loop.Until(t, "the reason", func() bool {
		return strings.Contains(uitest.AllText(c.view), "The port 11435 is taken by another program") && !c.on.Checked
	})
	s.Show(func(st *local.State) { st.Problem = "" })
	c.port.SetText("1")
	c.port.SetText("")
	p.ShowServer() // lines have their width in view alone
	height := c.view.MinSize().Height
	c.port.SetText("70000")
	if got := c.view.MinSize().Height; got != height || !c.pending.Flat.Visible() {
		t.Errorf("what is not applied moves the boxes by %v", got-height)
	}
	c.apply()
	if c.pending.Flat.Visible() {
		t.Error("what is wrong with the port does not take the place of what is not applied")
	}
	if !strings.Contains(uitest.AllText(c.view), "A port is a number from 1 to 65535") {
		t.Error("a port of 70000 is taken")
	}
	above := c.view.Objects[slices.Index(c.view.Objects, fyne.CanvasObject(c.below))-1]
	if name := uitest.AllText(above); !strings.Contains(name, "Port") || !c.wrong.Flat.Visible() {
		t.Errorf("what is wrong with the port stands below %q", name)
	}
	if c.fill(); !c.wrong.Flat.Visible() || c.result.Flat.Visible() {
		t.Error("what is wrong with the port went with news of the server, or stands below the boxes")
	}
	c.port.SetText("8123")
	c.apply()
	if _, err := s.Tokens().Add("editor"); err != nil {
		t.Fatal(err)
	}
	test.Tap(c.atStart)
	test.Tap(c.network)
	b.Loop.Until(t, "the settings", func() bool {
		o := s.Settings()
		return o.Port == 8123 && o.AtStart && o.Network && c.secured.Checked && c.secured.Disabled()
	})
	s.Taken = false
	p.Begin()
	b.Loop.Until(t, "that it begins by itself", func() bool { return s.State().On })
}

// Beside the switch it says that it is off again after the program's end, unless that is chosen too.
func TestServerSaysHowLongItStaysOn(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	c := p.server
	if c.lasts.Flat.Visible() {
		t.Error("of a server that is off it says how long it stays on")
	}
	test.Tap(c.on)
	b.Loop.Until(t, "the server and what is said of it", func() bool { return c.on.Checked && c.lasts.Flat.Visible() })
	test.Tap(c.atStart)
	b.Loop.Until(t, "that it lasts", func() bool { return c.atStart.Checked && !c.lasts.Flat.Visible() })
}

// TestTokens makes a token, which is shown once, and removes it.
func TestTokens(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	c := p.server.tokens
	c.name.SetText(" ")
	test.Tap(c.add)
	b.Loop.Until(t, "the reason", func() bool { return strings.Contains(uitest.AllText(c.view), "needs a name") })
	c.name.SetText("editor")
	test.Tap(c.add)
	b.Loop.Until(t, "the token", func() bool {
		return strings.HasPrefix(c.secret.Text, "inglenook-") && c.name.Text == "" && c.shown.Visible()
	})
	secret := c.secret.Text
	list, err := c.store.List()
	if err != nil || len(list) != 1 || list[0].Name != "editor" || !strings.Contains(uitest.AllText(c.list), "editor") {
		t.Fatalf("%+v, %v", list, err)
	}
	p.Leave()
	p.Enter()
	if strings.Contains(uitest.AllText(c.view), secret) || c.shown.Visible() {
		t.Error("the token is shown a second time")
	}
	test.Tap(uitest.FindButton(t, c.list, "Remove"))
	b.Loop.Until(t, "that it is gone", func() bool {
		list, err := c.store.List()
		return err == nil && len(list) == 0 && strings.Contains(uitest.AllText(c.list), "None.")
	})
	if b.Offered.Button != "Undo" || !strings.Contains(b.Offered.What, "“editor”") {
		t.Fatalf("offered: %+v", b.Offered)
	}
	b.Offered.Act()
	b.Loop.Until(t, "that it is back", func() bool { return strings.Contains(uitest.AllText(c.list), "editor") })
	if name := c.store.Who(sha256.Sum256([]byte(secret))); name != "editor" {
		t.Errorf("the secret is that of %q", name)
	}
}

// TestFirstKey wants keys before there is one: the server goes on as it was until a key is made.
func TestFirstKey(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	c := p.server
	s := c.server.(*scripted.Server)
	p.ShowServer()
	test.Tap(c.on)
	b.Loop.Until(t, "that it is on", func() bool { return s.State().On && c.on.Checked })
	test.Tap(c.secured)
	asks := func() bool {
		return c.result.Flat.Visible() && strings.HasPrefix(c.result.Segment.Text, "Make an access key first; ")
	}
	if !asks() || c.result.Segment.Text != keyFirst || !s.State().On || !c.on.Checked || c.secured.Checked || s.Settings().Tokens {
		t.Fatalf("without a key: %+v, %s", s.Settings(), uitest.AllText(c.view))
	}
	if b.Window.Canvas().Focused() != fyne.Focusable(c.tokens.name) {
		t.Error("the field for the name of a key does not have the keyboard")
	}
	p.Leave()
	p.Enter()
	if asks() {
		t.Error("a choice waits for a key after the room was left")
	}
	test.Tap(c.network)
	if !asks() || s.Settings().Network || c.network.Checked || c.secured.Checked || c.secured.Disabled() {
		t.Errorf("the network without a key: %+v", s.Settings())
	}
	c.tokens.name.SetText("editor")
	test.Tap(c.tokens.add)
	b.Loop.Until(t, "that the choice takes effect", func() bool {
		return s.Settings().Network && s.State().On && !asks() && c.network.Checked && c.secured.Checked
	})
	test.Tap(uitest.FindButton(t, c.tokens.list, "Remove"))
	b.Loop.Until(t, "that the key is gone", func() bool { return strings.Contains(uitest.AllText(c.tokens.list), "None.") })
	test.Tap(c.on)
	b.Loop.Until(t, "that it is off", func() bool { return !s.State().On && !c.on.Checked })
	test.Tap(c.on)
	if !asks() || c.on.Checked || s.State().On {
		t.Error("the server begins, though nobody could ask")
	}
}

// The strip hears where the server answers while it is on, and how many programs asked.
func TestServing(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	said := "nothing"
	p.Serving(func(text string) { said = text })
	if said != "" {
		t.Errorf("of a server that is off: %q", said)
	}
	test.Tap(p.server.on)
	b.Loop.Until(t, "where it answers", func() bool { return said == "127.0.0.1:11435 · 0 programs" })
	p.server.server.(*scripted.Server).Show(func(st *local.State) {
		st.Clients = []server.Client{{Name: "one", Requests: 1}, {Name: "two", Requests: 1}, {Name: "a stranger", Refused: 1}}
	})
	b.Loop.Until(t, "who asked", func() bool { return said == "127.0.0.1:11435 · 2 programs" })
	test.Tap(p.server.on)
	b.Loop.Until(t, "that it is off", func() bool { return said == "" })
	p.ShowServer()
	if p.sections.tab != sectionPrograms {
		t.Errorf("tab %d is in view", p.sections.tab)
	}
}
