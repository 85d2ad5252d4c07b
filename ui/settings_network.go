package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app"
)

// Network is what Settings asks of the application about connections.
type Network interface {
	SetNetwork(n app.Network) error
	Secrets(ctx context.Context) app.SecretState
	SetToken(ctx context.Context, token string) (where string, err error)
	SetProxyPassword(ctx context.Context, password string) (where string, err error)
	TestConnection(ctx context.Context) (sentence string, err error)
	Connections() []app.Connection // the last one first
}

// networkCard is how the Hub is reached.
type networkCard struct {
	desk
	app      Network
	view     *fyne.Container
	offline  *check
	endpoint *entry
	proxy    *entry
	user     *entry
	password *entry
	except   *entry
	token    *entry
	limit    *choice
	apply    *button
	test     *button
	result   *paragraph
	kept     *paragraph // where the token is
	forget   *button
	past     *fyne.Container
}

// limits of the speed of downloads, in bytes a second.
var limits = []int64{0, 500e3, 1e6, 5e6, 10e6, 50e6}

func newNetworkCard(d desk, a Network) *networkCard {
	c := &networkCard{desk: d, app: a, result: newParagraph("", colorMuted), kept: newParagraph("", colorMuted).small(), past: column(2)}
	n := d.common.Settings().Network
	c.offline = newCheck(d.keys, "Work offline: no connection at all", nil)
	c.offline.Checked = n.Offline
	c.offline.OnChanged = func(bool) { c.save() }
	line := func(text, hint string) *entry {
		e := newEntry(d.keys)
		e.SetText(text)
		e.SetPlaceHolder(hint)
		e.submit = c.save
		return e
	}
	c.endpoint = line(n.Endpoint, "https://huggingface.co")
	c.proxy = line(n.Proxy, "as the system says")
	c.user = line(n.ProxyUser, "user, if it wants one")
	c.except = line(n.NoProxy, "hosts, separated by commas")
	c.password = line("", "password")
	c.password.Password = true
	c.token = line("", "for models with terms")
	c.token.Password = true
	names := make([]string, len(limits))
	for i, l := range limits {
		names[i] = "No limit"
		if l > 0 {
			names[i] = humanize.Bytes(uint64(l)) + "/s"
		}
	}
	c.limit = newChoice(d.keys, names, nil)
	c.limit.SetSelectedIndex(0)
	for i, l := range limits {
		if l == n.Limit {
			c.limit.SetSelectedIndex(i)
		}
	}
	c.limit.OnChanged = func(string) { c.save() }
	c.apply = newButton(d.keys, "Apply", theme.ConfirmIcon(), c.save)
	c.test = newButton(d.keys, "Test connection", theme.ViewRefreshIcon(), c.try)
	c.forget = quiet(d.keys, "Forget the token", nil, c.forgetToken)
	c.result.flat.Hide()
	c.view = column(10,
		c.offline,
		wide("Address", c.endpoint),
		wide("Proxy", c.proxy),
		wide("", container.NewGridWithColumns(2, c.user, c.password)),
		wide("Except for", c.except),
		wide("Token", c.token),
		wide("", container.NewBorder(nil, nil, nil, container.NewCenter(c.forget), c.kept.flat)),
		wide("Downloads", container.NewHBox(container.New(&fixedWidth{150}, c.limit))),
		wide("", container.NewHBox(c.apply, c.test)),
		c.result.flat,
		newName("Connections since the start"),
		c.past,
	)
	c.showSecrets(app.SecretState{})
	c.fillPast()
	return c
}

// wide is a named control that takes the rest of the row.
func wide(name string, control fyne.CanvasObject) fyne.CanvasObject {
	label := newLine(name, textBody, theme.ColorNameForeground)
	label.whole = true
	return container.NewBorder(nil, nil, container.New(&fixedWidth{110}, label), nil, control)
}

// enter shows what has changed meanwhile.
func (c *networkCard) enter() {
	c.fillPast()
	c.work(func(ctx context.Context) {
		s := c.app.Secrets(ctx)
		c.do(func() { c.showSecrets(s) })
	})
}

// save applies what the fields say. Fields that hold a secret are emptied: it is
// never shown again.
func (c *networkCard) save() {
	n := app.Network{
		Endpoint: c.endpoint.Text, Proxy: c.proxy.Text, ProxyUser: strings.TrimSpace(c.user.Text), NoProxy: c.except.Text,
		Offline: c.offline.Checked, Limit: limits[max(0, c.limit.SelectedIndex())],
	}
	token, password := strings.TrimSpace(c.token.Text), c.password.Text
	c.work(func(ctx context.Context) {
		err := c.app.SetNetwork(n)
		where := ""
		if token != "" && err == nil {
			where, err = c.app.SetToken(ctx, token)
		}
		if password != "" && err == nil {
			_, err = c.app.SetProxyPassword(ctx, password)
		}
		s := c.app.Secrets(ctx)
		c.do(func() {
			c.showSecrets(s)
			if err != nil {
				c.say(sentence(err.Error()), theme.ColorNameWarning)
				return
			}
			if token != "" {
				c.token.SetText("")
			}
			if password != "" {
				c.password.SetText("")
			}
			text := "Applied."
			if where != "" {
				text += " The token is kept " + where + "."
			}
			c.say(text, colorMuted)
		})
	})
}

func (c *networkCard) forgetToken() {
	c.work(func(ctx context.Context) {
		_, err := c.app.SetToken(ctx, "")
		s := c.app.Secrets(ctx)
		c.do(func() {
			c.showSecrets(s)
			if err != nil {
				c.say(sentence(err.Error()), theme.ColorNameWarning)
				return
			}
			c.say("The token is gone.", colorMuted)
		})
	})
}

// try tests the connection.
func (c *networkCard) try() {
	c.test.setEnabled(false)
	c.say("Asking…", colorMuted)
	c.work(func(ctx context.Context) {
		text, err := c.app.TestConnection(ctx)
		c.do(func() {
			c.test.setEnabled(true)
			c.fillPast()
			switch {
			case errors.Is(err, context.Canceled):
				c.say("", colorMuted)
			case err != nil:
				c.say(sentence(err.Error()), theme.ColorNameWarning)
			default:
				c.say(text, colorSuccess)
			}
		})
	})
}

func (c *networkCard) say(text string, color fyne.ThemeColorName) {
	c.result.segment.Style.ColorName = color
	c.result.set(text)
	show(c.result.flat, text != "")
	c.result.Refresh()
	c.view.Refresh()
}

// showSecrets says where the token is, and never what it is.
func (c *networkCard) showSecrets(s app.SecretState) {
	text := "None is kept. It goes to the address above only."
	if s.Token != "" {
		text = "Kept " + s.Token + "."
	}
	c.kept.set(text)
	show(c.forget, s.Token != "" && !strings.Contains(s.Token, "HF_TOKEN"))
	c.password.SetPlaceHolder("password")
	if s.Proxy != "" {
		c.password.SetPlaceHolder("password: kept")
	}
}

// mostPast is how many connections are shown; the log has all.
const mostPast = 12

// fillPast lists the last connections.
func (c *networkCard) fillPast() {
	c.past.Objects = nil
	list := c.app.Connections()
	if len(list) == 0 {
		c.past.Add(newCaption("None. Inglenook opens one only for what you ask of the Hub."))
	}
	for i, one := range list {
		if i == mostPast {
			c.past.Add(newCaption(fmt.Sprintf("and %s before; the log has them all", count(len(list)-i, "connection"))))
			break
		}
		c.past.Add(connectionRow(one))
	}
	c.past.Refresh()
}

// connectionRow is one request: when, to where, how it went and how much came.
func connectionRow(c app.Connection) fyne.CanvasObject {
	result, color := fmt.Sprint(c.Status), fyne.ThemeColorName(colorMuted)
	if c.Status == 0 || c.Status >= 400 {
		color = theme.ColorNameWarning
	}
	if c.Status == 0 {
		result = "failed"
	}
	if c.Token {
		result += " with token"
	}
	when := newCaption(c.At.Local().Format("15:04:05"))
	when.whole = true
	tail := newLine(result+" · "+humanize.Bytes(uint64(max(0, c.Bytes))), textSmall, color)
	tail.whole = true
	return container.NewBorder(nil, nil, container.New(&fixedWidth{60}, when), tail, newCaption(c.Method+" "+c.URL))
}
