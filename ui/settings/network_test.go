package settings

import (
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/hub/fault"
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
	test.Tap(c.use)
	b.Loop.Until(t, "the settings", func() bool { return strings.HasPrefix(c.result.Segment.Text, "Applied.") })
	if n := d.Settings().Network; n.Endpoint != "https://mirror.test" || n.Proxy != "http://proxy.test:3128" || n.ProxyUser != "me" || n.Offline {
		t.Errorf("set: %+v", n)
	}
	if d.Hub.Token != "hf_x" || d.Hub.Password != "secret" || c.token.Text != "" || c.password.Text != "" {
		t.Errorf("the token is %q, the password %q; the fields hold %q and %q", d.Hub.Token, d.Hub.Password, c.token.Text, c.password.Text)
	}
	if got := c.kept.Segment.Text; got != "Kept in the system's keyring. It is sent only to the address above." || !c.forget.Visible() {
		t.Errorf("told: %s", got)
	}
	test.Tap(c.forget)
	b.Loop.Until(t, "the token to go", func() bool { return d.Hub.Token == "" && !c.forget.Visible() })

	c.endpoint.SetText("ftp://x")
	test.Tap(c.use)
	b.Loop.Until(t, "a refusal", func() bool { return strings.Contains(c.result.Segment.Text, "The address is not complete") })
	if n := d.Settings().Network; n.Endpoint != "https://mirror.test" {
		t.Errorf("set: %+v", n)
	}
	c.endpoint.SetText("")
	c.offline.SetChecked(true)
	b.Loop.Until(t, "the switch", func() bool { return d.Settings().Network.Offline })
}

// A proxy may be typed without its scheme; applied, the field says what is in force.
func TestProxyWithoutItsScheme(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.network
	c.proxy.SetText("127.0.0.1:3128")
	test.Tap(c.use)
	b.Loop.Until(t, "the settings", func() bool { return c.result.Segment.Text == "Applied." })
	if got := d.Settings().Network.Proxy; got != "http://127.0.0.1:3128" || c.proxy.Text != got || c.pending.Text != "" {
		t.Errorf("in force is %q, typed %q", got, c.proxy.Text)
	}
}

// A connection of another card stands in the list when its tab is turned to.
func TestConnectionsOfOtherCards(t *testing.T) {
	d := uitest.NewApp()
	_, p := inSettings(t, d)
	if _, err := d.TestConnection(t.Context(), base.Network{}, "", ""); err != nil {
		t.Fatal(err)
	}
	p.sections.tabs.Pick(sectionConnections)
	if text := uitest.AllText(p.network.past); strings.Contains(text, "None.") {
		t.Errorf("listed: %s", text)
	}
}

// The list of connections is filled as it comes into view, and not at each letter of a search.
func TestConnectionsAreListedOnce(t *testing.T) {
	_, p := inSettings(t, uitest.NewApp())
	p.sections.tabs.Pick(sectionConnections)
	first := p.network.past.Objects[0]
	for _, words := range []string{"c", "co", "con"} {
		p.sections.words.SetText(words)
		if _, in := uitest.Find(p.sections.cards, func(o fyne.CanvasObject) bool { return o == first }); !in {
			t.Errorf("%q fills the list again, or does not find it", words)
		}
	}
	p.sections.words.SetText("theme")
	if p.sections.words.SetText("conn"); p.network.past.Objects[0] == first {
		t.Error("the list is as it was before it went out of view")
	}
}

// What applies the fields is in view with them, however long the page is and whatever is said.
func TestApplyStaysInView(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	if p.network.foot.Visible() {
		t.Error("in General one can apply connections")
	}
	p.sections.tabs.Pick(sectionConnections)
	b.Window.Resize(fyne.NewSize(700, 420))
	d.Hub.Failing = errors.New(strings.Repeat("the model store cannot be reached, and this is long. ", 12))
	inView := func(o fyne.CanvasObject) bool {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
		return o.Visible() && at.Y > 0 && at.Y+o.Size().Height <= b.Window.Canvas().Size().Height
	}
	p.network.endpoint.SetText("https://mirror.test")
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	if b.Window.Resize(fyne.NewSize(1240, 1000)); at(p.network.use).Y > at(p.sections.cards).Y+p.sections.cards.Size().Height+40 {
		t.Error("in a high window, what applies stands far below the fields")
	}
	b.Window.Resize(fyne.NewSize(700, 420))
	for what, button := range map[string]*kit.Button{"applies": p.network.use, "discards": p.network.discard, "tests": p.network.test} {
		if !inView(button) {
			t.Errorf("what %s is not in view", what)
		}
	}
	test.Tap(p.network.test)
	b.Loop.Until(t, "the failure", func() bool {
		return p.network.answer.Visible() && strings.Contains(p.network.result.Segment.Text, "this is long")
	})
	for what, button := range map[string]*kit.Button{"applies": p.network.use, "discards": p.network.discard, "tests": p.network.test} {
		if !inView(button) {
			t.Errorf("with a message, what %s is not in view", what)
		}
	}
	p.sections.words.SetText("theme")
	if p.network.foot.Visible() {
		t.Error("beside the theme one can apply connections")
	}
}

// Whoever shows that the program is offline hears of it at first and after each change.
func TestOfflineIsTold(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	said := true
	p.Offline(func(offline bool) { said = offline })
	if said {
		t.Error("offline at first")
	}
	p.network.offline.SetChecked(true)
	b.Loop.Until(t, "that it is offline", func() bool { return said })
	p.network.offline.SetChecked(false)
	b.Loop.Until(t, "that it is not", func() bool { return !said })
}

// What was said of a field goes with what was typed.
func TestDiscardTakesTheErrorAway(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	c := p.network
	before := c.test.Position()
	c.endpoint.SetText("ftp://x")
	if b.Idle(); !c.discard.Visible() || c.test.Position() != before {
		t.Errorf("Discard moves the button beside it from %v to %v", before, c.test.Position())
	}
	test.Tap(c.use)
	b.Loop.Until(t, "a refusal", func() bool { return c.answer.Visible() && strings.Contains(c.result.Segment.Text, "not complete") })
	test.Tap(c.discard)
	if c.endpoint.Text != "" || c.answer.Visible() || c.result.Flat.Visible() {
		t.Errorf("the field holds %q, beside %q", c.endpoint.Text, c.result.Segment.Text)
	}
	c.endpoint.SetText("ftp://x")
	test.Tap(c.use)
	b.Loop.Until(t, "a refusal", func() bool { return c.answer.Visible() && strings.Contains(c.result.Segment.Text, "not complete") })
	if c.endpoint.SetText("https://y"); c.answer.Visible() || c.details.Visible() {
		t.Errorf("beside another address stands %q", c.result.Segment.Text)
	}
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

// What is tested is what the fields show, and what is not applied is marked until it is.
func TestFieldsThatAreNotApplied(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.network
	marked := func() string { return c.pending.Text }
	if got := marked(); got != "" || !c.use.Disabled() {
		t.Errorf("at first, marked is %q", got)
	}
	c.endpoint.SetText(" https://mirror.test ")
	c.proxy.SetText("http://proxy.test:3128")
	c.token.SetText("hf_x")
	c.password.SetText("secret")
	if got := marked(); got != "Not applied yet: the model store address, the proxy, its password, the token." || c.use.Disabled() {
		t.Errorf("marked is %q", got)
	}
	test.Tap(c.test)
	b.Loop.Until(t, "an answer", func() bool { return strings.Contains(c.result.Segment.Text, "answers") })
	if want := []string{"https://mirror.test", "http://proxy.test:3128", "hf_x", "secret"}; !slices.Equal(d.Hub.Tested, want) {
		t.Errorf("tested %q, want %q", d.Hub.Tested, want)
	}
	if marked() == "" || d.Settings().Network.Endpoint != "" || d.Hub.Token != "" {
		t.Errorf("a test applied: %+v, %q", d.Settings().Network, d.Hub.Token)
	}
	c.token.SetText("")
	if got := marked(); strings.Contains(got, "token") {
		t.Errorf("marked is %q", got)
	}
	c.offline.SetChecked(true)
	b.Loop.Until(t, "the switch", func() bool { return d.Settings().Network.Offline })
	c.offline.SetChecked(false)
	b.Loop.Until(t, "the switch back", func() bool { return !d.Settings().Network.Offline })
	if marked() == "" || d.Settings().Network.Endpoint != "" {
		t.Errorf("the switch applied what was typed: %+v", d.Settings().Network)
	}
	test.Tap(c.use)
	b.Loop.Until(t, "the mark to go", func() bool { return marked() == "" && c.use.Disabled() })
	c.endpoint.SetText("https://other.test")
	c.endpoint.SetText("https://mirror.test")
	if got := marked(); got != "" {
		t.Errorf("what is as applied is marked: %q", got)
	}
}

// A failure is one sentence; what the system said is on demand, and gone with the next answer.
func TestDetailsOfAFailure(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.network
	failing := fault.New(fault.ErrUnreachable, nil, "hub.test cannot be reached")
	failing.Detail = "dial tcp: lookup hub.test: no such host"
	d.Hub.Failing = failing
	test.Tap(c.test)
	b.Loop.Until(t, "a failure", func() bool { return c.details.Visible() })
	if got := c.result.Segment.Text; got != "hub.test cannot be reached." || c.raw.Flat.Visible() {
		t.Errorf("shown: %s", got)
	}
	test.Tap(c.details)
	if !c.raw.Flat.Visible() || c.raw.Segment.Text != failing.Detail {
		t.Errorf("the details are not shown: %s", c.raw.Segment.Text)
	}
	test.Tap(c.details)
	if c.raw.Flat.Visible() {
		t.Error("the details do not go")
	}
	d.Mu.Lock()
	d.Hub.Failing = nil
	d.Mu.Unlock()
	test.Tap(c.test)
	b.Loop.Until(t, "an answer", func() bool { return strings.Contains(c.result.Segment.Text, "answers") })
	if c.details.Visible() || c.raw.Flat.Visible() {
		t.Error("the details of the failure stay")
	}
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

// What is wrong with a field stands below it; what is right or about nothing known, below the
// buttons, which no message pushes down.
func TestErrorsStandAtTheirField(t *testing.T) {
	d := uitest.NewApp()
	b, p := inSettings(t, d)
	c := p.network
	above := func() fyne.CanvasObject { // the row above what is said; nil: it stands below the buttons
		if i := slices.Index(c.view.Objects, fyne.CanvasObject(c.indented)); i > 0 {
			return c.view.Objects[i-1]
		}
		if slices.Index(c.foot.Objects, fyne.CanvasObject(c.answer)) < 1 { // above the buttons it would move them
			t.Error("nothing is said")
		}
		return nil
	}
	for _, x := range []struct {
		proxy string
		err   error
		field base.NetworkField
	}{
		{"", fault.New(fault.ErrUnreachable, nil, "nowhere.example cannot be reached"), base.FieldEndpoint},
		{"", fault.New(fault.ErrGated, nil, "the token is not accepted"), base.FieldToken},
		{"http://proxy.example:1", fault.New(fault.ErrUnreachable, &net.OpError{Op: "proxyconnect", Err: errors.New("refused")}, "nowhere.example cannot be reached"), base.FieldProxy},
		{"", errors.New("the disk is full"), ""},
		{"", nil, ""},
	} {
		d.Mu.Lock()
		d.Hub.Failing = x.err
		d.Mu.Unlock()
		c.proxy.SetText(x.proxy)
		test.Tap(c.test)
		b.Loop.Until(t, "the answer", func() bool { return !c.test.Disabled() })
		if above() != c.rows[x.field] || !c.answer.Visible() {
			t.Errorf("%v stands below another row than that of %q", x.err, x.field)
		}
	}
}

// Connections that were alike share a row.
func TestConnectionsAreGrouped(t *testing.T) {
	at := func(url string, status int) base.Connection {
		return base.Connection{Method: "GET", URL: url, Status: status, Bytes: 500}
	}
	x, y := at("https://a.example/x", 0), at("https://a.example/y", 200)
	got := grouped([]base.Connection{x, y, x, at("https://a.example/x", 200), x, y})
	var sizes []int
	for _, g := range got {
		sizes = append(sizes, len(g))
	}
	if !slices.Equal(sizes, []int{3, 2, 1}) {
		t.Fatalf("the groups have %v", sizes)
	}
	if text := uitest.AllText(connectionRow(got[0])); !strings.Contains(text, "3 times failed · 1.5 kB") {
		t.Errorf("the row is %q", text)
	}
}
