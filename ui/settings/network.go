package settings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"github.com/dustin/go-humanize"
)

// Network is what Settings asks of the application about connections.
type Network interface {
	SetNetwork(n base.Network) error
	Offline() bool // also where the settings do not ask for it
	Secrets(ctx context.Context) base.SecretState
	SetToken(ctx context.Context, token string) (where string, err error)
	SetProxyPassword(ctx context.Context, password string) (where string, err error)
	// TestConnection tests settings and secrets that need not be applied; empty secrets are those kept.
	TestConnection(ctx context.Context, with base.Network, token, password string) (sentence string, err error)
	Connections() []base.Connection // the last one first
}

// networkCard is how the Hub is reached.
type networkCard struct {
	panel.Host
	app      Network
	view     *fyne.Container
	foot     *fyne.Container // what applies the fields, in view below them wherever they are scrolled
	offline  *kit.Check
	endpoint *kit.Entry
	proxy    *kit.Entry
	user     *kit.Entry
	password *kit.Entry
	except   *kit.Entry
	token    *kit.Entry
	limit    *kit.Choice
	use      *kit.Button // applies
	discard  *kit.Button
	marked   func()             // hears when what is not applied may have changed
	cut      func(offline bool) // hears whether every connection is forbidden
	grown    func()             // hears that the foot may have another height
	test     *kit.Button
	pending  *kit.Line // what is not applied
	result   *kit.Paragraph
	raw      *kit.Paragraph                          // what the system said of a failure
	details  *kit.Button                             // shows raw
	answer   *fyne.Container                         // result, details and raw, below the row that they are about, or above the buttons
	indented *fyne.Container                         // answer, as it stands below a row
	rows     map[base.NetworkField]fyne.CanvasObject // of the fields that an error can be about
	kept     *kit.Paragraph                          // where the token is
	forget   *kit.Button
	past     *fyne.Container
	pastView fyne.CanvasObject
}

// limits of the speed of downloads, in bytes a second.
var limits = []int64{0, 500e3, 1e6, 5e6, 10e6, 50e6}

func newNetworkCard(d panel.Host, a Network) *networkCard {
	c := &networkCard{Host: d, app: a, marked: func() {}, grown: func() {}, cut: func(bool) {}, pending: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), result: kit.NewParagraph("", kit.ColorMuted), raw: kit.NewParagraph("", kit.ColorMuted).Small(), kept: kit.NewParagraph("", kit.ColorMuted).Small(), past: kit.Column(2)}
	n := d.App.Settings().Network
	c.offline = kit.NewCheck(d.Keys, "Work offline: no connection at all", nil)
	c.offline.Checked = n.Offline
	c.offline.OnChanged = func(on bool) { c.change(func(n *base.Network) { n.Offline = on }) }
	waits := func(e *kit.Entry) *kit.Entry { // for Apply
		e.Submit = c.apply
		e.OnChanged = func(string) { c.edited() }
		return e
	}
	line := func(text, hint string) *kit.Entry {
		e := kit.NewEntry(d.Keys)
		e.SetText(text)
		e.SetPlaceHolder(hint)
		return waits(e)
	}
	c.endpoint = line(n.Endpoint, base.UsualEndpoint())
	c.proxy = line(n.Proxy, "System proxy")
	c.user = line(n.ProxyUser, "Username (optional)")
	c.except = line(n.NoProxy, "Hosts, separated by commas")
	c.password = waits(kit.NewSecret(d.Keys, "Password (optional)"))
	c.token = waits(kit.NewSecret(d.Keys, "hf_…"))
	names := make([]string, len(limits))
	for i, l := range limits {
		names[i] = "No limit"
		if l > 0 {
			names[i] = humanize.Bytes(uint64(l)) + "/s"
		}
	}
	c.limit = kit.NewChoice(d.Keys, names, nil)
	c.limit.SetSelectedIndex(0)
	for i, l := range limits {
		if l == n.Limit {
			c.limit.SetSelectedIndex(i)
		}
	}
	c.limit.OnChanged = func(string) { c.change(func(n *base.Network) { n.Limit = limits[max(0, c.limit.SelectedIndex())] }) }
	c.use = kit.NewButton(d.Keys, "Apply", theme.ConfirmIcon(), c.apply)
	c.use.Importance = widget.HighImportance
	c.discard = kit.NewQuietButton(d.Keys, "Discard", theme.ContentUndoIcon(), c.reset)
	c.test = kit.NewButton(d.Keys, "Test connection", theme.ViewRefreshIcon(), c.try)
	c.forget = kit.NewQuietButton(d.Keys, "Remove the token", nil, c.forgetToken)
	c.details = kit.NewQuietButton(d.Keys, "Details", theme.MenuDropDownIcon(), func() { kit.Show(c.raw.Flat, !c.raw.Flat.Visible()); c.view.Refresh() })
	c.result.Flat.Hide()
	c.answer = kit.Column(kit.GapSmall, c.result.Flat, container.NewHBox(c.details), c.raw.Flat)
	c.indented = container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: nameWidth}, kit.NewCaption("")), nil, c.answer)
	c.rows = map[base.NetworkField]fyne.CanvasObject{
		base.FieldEndpoint: wide("Model store address", c.endpoint),
		base.FieldProxy:    wide("Proxy", c.proxy),
		base.FieldToken:    wide("Hugging Face token", c.token),
	}
	c.answer.Hide()
	c.view = kit.Column(10,
		kit.NewParagraph(whenApplied, kit.ColorMuted).Small().Flat,
		marked(c.offline.Text, c.offline),
		c.rows[base.FieldEndpoint],
		c.rows[base.FieldProxy],
		wide("", container.NewGridWithColumns(2, c.user, c.password)),
		wide("No proxy for", c.except),
		c.rows[base.FieldToken],
		wide("", container.NewBorder(nil, nil, nil, container.NewCenter(c.forget), c.kept.Flat)),
		wide("Download speed", container.NewHBox(container.New(&kit.FixedWidth{Width: 150}, c.limit))),
	)
	c.foot = kit.Column(kit.GapSmall, container.NewBorder(nil, nil, container.NewHBox(c.use, c.test, c.discard), nil, kit.NewTold(d.Keys, c.pending)), c.answer) // the buttons stay where they are when an answer comes
	c.pastView = kit.Column(10, kit.NewParagraph("Since the start of Inglenook, the newest first.", kit.ColorMuted).Small().Flat, c.past)
	c.showSecrets(base.SecretState{})
	c.fillPast()
	c.showRaw("")
	c.mark()
	return c
}

const whenApplied = "Working offline and the download speed count at once, everything else with Apply."

// wide is a named control that takes the rest of the row.
func wide(name string, control fyne.CanvasObject) fyne.CanvasObject {
	label := kit.NewLine(name, kit.TextBody, theme.ColorNameForeground)
	label.Whole = true
	return marked(name, container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: nameWidth}, label), nil, control))
}

// enter shows what has changed meanwhile.
func (c *networkCard) enter() {
	c.fillPast()
	c.Work(func(ctx context.Context) {
		s := c.app.Secrets(ctx)
		c.Do(func() { c.showSecrets(s) })
	})
}

// leave takes secrets out of view.
func (c *networkCard) leave() {
	c.password.Conceal()
	c.token.Conceal()
}

// written is what the fields say.
func (c *networkCard) written() (n base.Network, token, password string) {
	return base.Network{
		Endpoint: strings.TrimSpace(c.endpoint.Text), Proxy: strings.TrimSpace(c.proxy.Text), ProxyUser: strings.TrimSpace(c.user.Text),
		NoProxy: strings.TrimSpace(c.except.Text), Offline: c.offline.Checked, Limit: limits[max(0, c.limit.SelectedIndex())],
	}, strings.TrimSpace(c.token.Text), c.password.Text
}

// unapplied names the fields that say something else than what is in force.
func (c *networkCard) unapplied() []string {
	n, token, password := c.written()
	now := c.App.Settings().Network
	var names []string
	for _, field := range []struct {
		name    string
		differs bool
	}{
		{"the model store address", n.Endpoint != now.Endpoint},
		{"the proxy", n.Proxy != now.Proxy},
		{"its username", n.ProxyUser != now.ProxyUser},
		{"its password", password != ""},
		{"the exceptions", n.NoProxy != now.NoProxy},
		{"the token", token != ""},
	} {
		if field.differs {
			names = append(names, field.name)
		}
	}
	return names
}

// mark says which fields are not applied.
func (c *networkCard) mark() {
	names := c.unapplied()
	c.use.SetEnabled(len(names) > 0)
	kit.Show(c.discard, len(names) > 0)
	c.pending.Set(pendingText(names))
	c.refresh()
	c.marked()
}

// edited takes away what was said of the fields as they were.
func (c *networkCard) edited() {
	c.showResult("", kit.ColorMuted)
	c.mark()
}

// reset puts what is in force into the fields.
func (c *networkCard) reset() {
	n := c.App.Settings().Network
	for field, text := range map[*kit.Entry]string{c.endpoint: n.Endpoint, c.proxy: n.Proxy, c.user: n.ProxyUser, c.except: n.NoProxy, c.password: "", c.token: ""} {
		field.SetText(text)
	}
	c.showResult("", kit.ColorMuted) // it was about what is gone
	c.mark()
}

// change applies at once what needs no button; what is typed stays unapplied.
func (c *networkCard) change(change func(*base.Network)) {
	c.Work(func(context.Context) {
		n := c.App.Settings().Network
		change(&n)
		err := c.app.SetNetwork(n)
		c.Do(func() {
			if c.mark(); err != nil {
				c.fail(err)
				return
			}
			c.cut(c.app.Offline())
			c.showResult("Applied.", kit.ColorMuted)
		})
	})
}

// apply applies what the fields say. Fields that hold a secret are emptied: it is
// never shown again.
func (c *networkCard) apply() {
	n, token, password := c.written()
	c.Work(func(ctx context.Context) {
		err := c.app.SetNetwork(n)
		where := ""
		if token != "" && err == nil {
			where, err = c.app.SetToken(ctx, token)
		}
		if password != "" && err == nil {
			_, err = c.app.SetProxyPassword(ctx, password)
		}
		s := c.app.Secrets(ctx)
		c.Do(func() {
			c.showSecrets(s)
			if err != nil {
				c.mark()
				c.failAt(base.FieldOf(err), err)
				return
			}
			if tidy := n.Tidied(); c.proxy.Text != tidy.Proxy {
				c.proxy.SetText(tidy.Proxy)
			}
			if token != "" {
				c.token.SetText("")
			}
			if password != "" {
				c.password.SetText("")
			}
			c.mark()
			text := "Applied."
			if where != "" {
				text += " The token is kept " + where + "."
			}
			c.showResult(text, kit.ColorMuted)
		})
	})
}

func (c *networkCard) forgetToken() {
	c.Work(func(ctx context.Context) {
		_, err := c.app.SetToken(ctx, "")
		s := c.app.Secrets(ctx)
		c.Do(func() {
			c.showSecrets(s)
			if err != nil {
				c.fail(err)
				return
			}
			c.showResult("The token is removed.", kit.ColorMuted)
		})
	})
}

// try tests the connection with what the fields say, applied or not.
func (c *networkCard) try() {
	n, token, password := c.written()
	c.test.SetEnabled(false)
	c.showResult("Asking…", kit.ColorMuted)
	c.Work(func(ctx context.Context) {
		text, err := c.app.TestConnection(ctx, n, token, password)
		c.Do(func() {
			c.test.SetEnabled(true)
			c.fillPast()
			now, nowToken, nowPassword := c.written()
			switch {
			case errors.Is(err, context.Canceled):
				c.showResult("", kit.ColorMuted)
			case now != n || nowToken != token || nowPassword != password:
				c.showResult("The fields were changed during the test. Test again.", kit.ColorMuted)
			case err != nil:
				c.failAt(base.FieldOf(err), err)
			default:
				c.showResult(text, kit.ColorSuccess)
			}
		})
	})
}

// fail says what went wrong; what the system said of it is under Details.
func (c *networkCard) fail(err error) { c.failAt("", err) }

// failAt says below a field what is wrong with it; "": above the buttons.
func (c *networkCard) failAt(field base.NetworkField, err error) {
	c.showResult(kit.Sentence(err.Error()), theme.ColorNameWarning)
	c.showRaw(base.ErrorDetail(err))
	c.answerBelow(field)
}

// answerBelow puts what is said below the row of a field; "": below the buttons, which it does not
// push away from the pointer.
func (c *networkCard) answerBelow(field base.NetworkField) {
	c.view.Remove(c.indented)
	c.foot.Remove(c.answer)
	if row := c.rows[field]; row != nil {
		c.view.Objects = slices.Insert(c.view.Objects, slices.Index(c.view.Objects, row)+1, fyne.CanvasObject(c.indented))
	} else {
		c.foot.Objects = append(c.foot.Objects, c.answer)
	}
	c.refresh()
}

// refresh lays out what has another height.
func (c *networkCard) refresh() {
	c.view.Refresh()
	c.foot.Refresh()
	c.grown()
}

// showRaw offers what the system said; "": nothing.
func (c *networkCard) showRaw(text string) {
	c.raw.Set(text)
	c.raw.Flat.Hide()
	kit.Show(c.details, text != "")
	c.refresh()
}

func (c *networkCard) showResult(text string, color fyne.ThemeColorName) {
	c.showRaw("")
	c.result.Say(text, color)
	kit.Show(c.answer, text != "")
	c.answerBelow("")
}

// showSecrets says where the token is, and never what it is.
func (c *networkCard) showSecrets(s base.SecretState) {
	text := "Needed for models whose terms you must accept. No token saved."
	if s.Token != "" {
		text = "Kept " + s.Token + ". It is sent only to the address above."
	}
	c.kept.Set(text)
	kit.Show(c.forget, s.Token != "" && !strings.Contains(s.Token, "HF_TOKEN"))
	c.password.SetPlaceHolder("Password (optional)")
	if s.Proxy != "" {
		c.password.SetPlaceHolder("Password saved")
	}
}

// mostPast is how many connections are shown; the log has all.
const mostPast = 12

// fillPast lists the last connections.
func (c *networkCard) fillPast() {
	c.past.Objects = nil
	list := c.app.Connections()
	if len(list) == 0 {
		c.past.Add(kit.NewCaption("None. Inglenook connects only when you search, download, or use a server that you added."))
	}
	left := 0
	for i, g := range grouped(list) {
		if i < mostPast {
			c.past.Add(kit.NewTold(c.Keys, connectionRow(g))) // which tells an address whole that is cut
		} else {
			left += len(g)
		}
	}
	if left > 0 {
		c.past.Add(kit.NewCaption(fmt.Sprintf("and %s before; the log has them all", kit.Count(left, "connection"))))
	}
	c.past.Refresh()
}

// outcome is how a request went, in a word or the server's number, and its colour. One that
// was stopped here did not fail.
func outcome(c base.Connection) (string, fyne.ThemeColorName) {
	switch {
	case c.Stopped:
		return "stopped", kit.ColorMuted
	case c.Status == 0:
		return "failed", theme.ColorNameWarning
	case c.Status >= 400:
		return fmt.Sprint(c.Status), theme.ColorNameWarning
	}
	return fmt.Sprint(c.Status), kit.ColorMuted
}

// grouped puts connections together that went to the same place with the same result, the
// newest first.
func grouped(list []base.Connection) (groups [][]base.Connection) {
	type kind struct {
		method, url, result string
		token               bool
	}
	at := map[kind]int{}
	for _, c := range list {
		result, _ := outcome(c)
		k := kind{c.Method, c.URL, result, c.Token}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// connectionRow is a request, or several that were alike, the newest first: when the newest was,
// to where, how they went and how much came.
func connectionRow(list []base.Connection) fyne.CanvasObject {
	c, bytes := list[0], int64(0)
	for _, one := range list {
		bytes += max(0, one.Bytes)
	}
	result, color := outcome(c)
	if c.Token {
		result += " with token"
	}
	if len(list) > 1 {
		result = kit.Count(len(list), "time") + " " + result
	}
	when := kit.NewCaption(c.At.Local().Format("15:04:05"))
	when.Whole = true
	tail := kit.NewLine(result+" · "+humanize.Bytes(uint64(bytes)), kit.TextSmall, color)
	tail.Whole = true
	return container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 60}, when), tail, kit.NewCaption(c.Method+" "+c.URL))
}
