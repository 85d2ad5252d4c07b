package settings

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/tokens"
	"inglenook/plain"
	"inglenook/server"
	"inglenook/server/local"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Server answers other programs while it is on; *local.Server is one.
type Server interface {
	Settings() base.ServerSettings
	Change(change func(*base.ServerSettings)) error
	State() local.State
	Changed(f func())
	Start() error
	Stop()
	Tokens() *tokens.Store
}

// serverCard switches the server on and off and shows who asks.
type serverCard struct {
	panel.Host
	server  Server
	view    *fyne.Container
	on      *kit.Check
	address *kit.Line
	port    *kit.Entry
	usePort *kit.Button
	discard *kit.Button
	pending *kit.Paragraph    // what is not applied
	wrong   *kit.Paragraph    // below the port: what is wrong with it, or why the server is off
	below   *fyne.Container   // both
	refused string            // what is wrong with the port that is typed; "": nothing
	marked  func()            // hears when what is not applied may have changed
	serving func(text string) // hears how the server is on, in words
	atStart *kit.Check
	lasts   *kit.Paragraph // that it is off again after the program's end
	secured *kit.Check
	network *kit.Check
	result  *kit.Paragraph                 // below the boxes
	waits   struct{ tokens, network bool } // choices that need a key, until there is one
	who     *fyne.Container                // programs that asked
	ran     *fyne.Container                // what they asked for
	tokens  *tokenList
	soon    atomic.Bool // changes are shown in a moment
	filling bool        // the boxes are set, not tapped
}

// redrawPause is how long changes are collected before they are shown.
const redrawPause = 300 * time.Millisecond

// What is shown of clients and requests, in rows.
const (
	maxClientRows  = 6
	maxRequestRows = 8
)

func newServerCard(d panel.Host, s Server) *serverCard {
	c := &serverCard{Host: d, server: s, marked: func() {}, serving: func(string) {}, pending: newPending(), wrong: kit.NewParagraph("", theme.ColorNameWarning), who: kit.Column(2), ran: kit.Column(2), result: kit.NewParagraph("", theme.ColorNameWarning)}
	c.on = kit.NewCheck(d.Keys, "Let other programs use the models", func(on bool) { c.set(on) })
	c.address = kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	copyAddress := kit.NewQuietButton(d.Keys, "Copy", theme.ContentCopyIcon(), func() {
		if c.Copy(c.address.Text, "address.txt") {
			c.Tell("Copied the address. Programs made for OpenAI want /v1 behind it.")
		}
	})
	c.port = kit.NewEntry(d.Keys)
	c.port.SetPlaceHolder(strconv.Itoa(server.UsualPort))
	c.port.Submit = c.apply
	c.port.OnChanged = func(string) { c.showPort("") }
	c.usePort = kit.NewButton(d.Keys, "Apply", theme.ConfirmIcon(), c.apply)
	c.discard = kit.NewQuietButton(d.Keys, "Discard", theme.ContentUndoIcon(), c.reset)
	box := func(label string, keep func(*base.ServerSettings, bool)) *kit.Check {
		return kit.NewCheck(d.Keys, label, func(on bool) { c.change(func(o *base.ServerSettings) { keep(o, on) }) })
	}
	c.atStart = box("Start this with Inglenook", func(o *base.ServerSettings, on bool) { o.AtStart = on })
	c.secured = kit.NewCheck(d.Keys, "Only programs that have an access key", func(on bool) { c.secure(&c.waits.tokens, on, keepTokens) })
	c.network = kit.NewCheck(d.Keys, "Also other computers in this network (access key needed)", func(on bool) { c.secure(&c.waits.network, on, keepNetwork) })
	c.lasts = kit.NewParagraph("On until Inglenook is closed. Tick “"+c.atStart.Text+"” below to have it on the next time too.", kit.ColorMuted).Small()
	c.tokens = newTokenList(d, s.Tokens(), c.keyMade)
	c.below = room(c.wrong.Flat, c.pending.Flat)
	c.view = kit.Column(10,
		kit.NewParagraph("Editors, notebooks and apps can use the models of this computer, while Inglenook is open. It works with OpenAI, Ollama and Anthropic clients. Only programs on this computer can connect, not web pages. Nothing they send is stored.", kit.ColorMuted).Flat,
		kit.Column(2, marked(c.on.Text, c.on), c.lasts.Flat),
		wide("Address", container.NewBorder(nil, nil, nil, copyAddress, c.address)),
		wide("Port", container.NewBorder(nil, nil, nil, container.NewHBox(c.discard, c.usePort), c.port)),
		c.below,
		kit.Column(2, marked(c.atStart.Text, c.atStart), marked(c.secured.Text, c.secured), marked(c.network.Text, c.network)),
		room(c.result.Flat), // below the boxes, which stay under the pointer
		kit.NewName("Access keys"),
		c.tokens.view,
		kit.NewName("Programs that asked"),
		c.who,
		kit.NewName("What they asked for"),
		c.ran,
	)
	s.Changed(c.later)
	c.fill()
	return c
}

// later shows changes soon; many become one.
func (c *serverCard) later() {
	if !c.soon.CompareAndSwap(false, true) {
		return
	}
	time.AfterFunc(redrawPause, func() {
		c.soon.Store(false)
		if c.Life.Err() == nil {
			c.Do(c.fill)
		}
	})
}

// begin switches the server on where it is to be on from the start.
func (c *serverCard) begin() {
	if c.server.Settings().AtStart {
		c.set(true)
	}
}

// set switches the server on or off.
func (c *serverCard) set(on bool) {
	if c.filling {
		return
	}
	if on && c.lacksKey(c.server.Settings()) {
		c.fill()
		c.show(keyToBegin)
		c.Focus(c.tokens.name)
		return
	}
	c.Work(func(context.Context) {
		if on {
			_ = c.server.Start() // the state has the reason
		} else {
			c.server.Stop()
		}
		c.Do(c.fill)
	})
}

// change keeps settings. A server that is on begins again.
func (c *serverCard) change(change func(*base.ServerSettings)) {
	if c.filling {
		return
	}
	c.Work(func(context.Context) {
		err := c.server.Change(change)
		c.Do(func() {
			c.fill()
			if err != nil {
				c.show(err.Error())
			}
		})
	})
}

// What a choice that needs a key waits for.
const (
	keyFirst        = "Make an access key first; then only programs that have it are answered."
	keyFirstNetwork = "Make an access key first; then programs that have it are answered, on other computers as well."
	keyToBegin      = "Make an access key first; without one nobody would be answered."
)

func keepTokens(o *base.ServerSettings, on bool)  { o.Tokens = on }
func keepNetwork(o *base.ServerSettings, on bool) { o.Network = on }

// lacksKey reports whether nobody could ask with these settings: they want a key, and there is none.
func (c *serverCard) lacksKey(o base.ServerSettings) bool {
	if !o.Tokens && !o.Network {
		return false
	}
	list, err := c.server.Tokens().List()
	return err == nil && len(list) == 0 // Start says what is wrong with a list that cannot be read
}

// secure keeps a choice for which programs need a key. Without a key it waits for one: the box
// stays off, the server stays as it is, and the field for a key's name has the keyboard.
func (c *serverCard) secure(waits *bool, on bool, keep func(*base.ServerSettings, bool)) {
	if c.filling {
		return
	}
	o := c.server.Settings()
	keep(&o, on)
	if *waits = on && c.lacksKey(o); *waits {
		c.fill()
		c.Focus(c.tokens.name)
		return
	}
	c.change(func(o *base.ServerSettings) { keep(o, on) })
}

// keyMade lets the choices take effect that waited for a key.
func (c *serverCard) keyMade() {
	waits := c.waits
	if !waits.tokens && !waits.network {
		c.fill()
		return
	}
	c.waits.tokens, c.waits.network = false, false
	c.change(func(o *base.ServerSettings) {
		o.Tokens, o.Network = o.Tokens || waits.tokens, o.Network || waits.network
	})
}

// leave forgets the choices that wait for a key: a later key is not for them.
func (c *serverCard) leave() {
	c.tokens.hide()
	c.waits.tokens, c.waits.network = false, false
	c.fill()
}

// markPort lets a person apply a port that is not in force.
func (c *serverCard) markPort() {
	names := c.unapplied()
	c.usePort.SetEnabled(len(names) > 0)
	kit.Show(c.discard, len(names) > 0)
	showPending(c.pending, names)
	kit.Show(c.pending.Flat, len(names) > 0 && c.refused == "") // what is wrong with it takes its place
	c.view.Refresh()
	c.marked()
}

// portInForce is what the field says where nothing is typed; "": the usual port.
func (c *serverCard) portInForce() string {
	if n := c.server.Settings().Port; n != 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// unapplied names the fields that say something else than what is in force.
func (c *serverCard) unapplied() []string {
	if strings.TrimSpace(c.port.Text) == c.portInForce() {
		return nil
	}
	return []string{"the port"}
}

// reset puts the port that is in force into its field.
func (c *serverCard) reset() {
	c.port.SetText(c.portInForce())
	c.fill()
}

// apply applies the port that is typed.
func (c *serverCard) apply() {
	text := strings.TrimSpace(c.port.Text)
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		n = 0
	case err != nil || n < 1 || n > 65535:
		c.showPort("a port is a number from 1 to 65535; leave the field empty for the usual one")
		return
	}
	c.change(func(o *base.ServerSettings) { o.Port = n })
}

// show says below the boxes what is wrong with a choice; "": nothing is.
func (c *serverCard) show(problem string) { c.say(c.result, problem) }

// showPort says below the port what is wrong with what is typed; "": nothing is.
func (c *serverCard) showPort(refused string) {
	c.refused = refused
	c.say(c.wrong, cmp.Or(refused, c.server.State().Problem))
	c.markPort()
}

func (c *serverCard) say(line *kit.Paragraph, problem string) {
	line.Set(plain.Text(kit.Sentence(problem), 600))
	kit.Show(line.Flat, problem != "")
	c.view.Refresh()
}

// fill shows the state.
func (c *serverCard) fill() {
	st, o := c.server.State(), c.server.Settings()
	c.filling = true
	c.on.SetChecked(st.On)
	c.atStart.SetChecked(o.AtStart)
	kit.Show(c.lasts.Flat, st.On && !o.AtStart)
	c.secured.SetChecked(o.Tokens || o.Network)
	if c.secured.Enable(); o.Network {
		c.secured.Disable()
	}
	c.network.SetChecked(o.Network)
	c.filling = false
	if c.port.Text == "" && o.Port != 0 {
		c.port.SetText(strconv.Itoa(o.Port))
	}
	c.markPort()
	c.serving(servingText(st))
	c.address.Set(st.Address)
	color := fyne.ThemeColorName(kit.ColorMuted)
	if st.On {
		color = theme.ColorNameForeground
	}
	c.address.SetColor(color)
	c.fillRows(st)
	c.say(c.wrong, cmp.Or(c.refused, st.Problem))
	switch {
	case c.waits.network:
		c.show(keyFirstNetwork)
	case c.waits.tokens:
		c.show(keyFirst)
	default:
		c.show("")
	}
}

// fillRows lists the clients and what they asked for.
func (c *serverCard) fillRows(st local.State) {
	c.who.Objects, c.ran.Objects = nil, nil
	for _, x := range st.Clients[:min(len(st.Clients), maxClientRows)] {
		c.who.Add(kit.NewCaption(clientText(x)))
	}
	all := append(append([]server.Request{}, st.Active...), st.Recent...)
	for i, r := range all[:min(len(all), maxRequestRows)] {
		c.ran.Add(kit.NewCaption(requestText(r, i < len(st.Active))))
	}
	none := "Nobody yet."
	if !st.On {
		none = "The server is off."
	}
	if len(c.who.Objects) == 0 {
		c.who.Add(kit.NewCaption(none))
	}
	if len(c.ran.Objects) == 0 {
		c.ran.Add(kit.NewCaption("Nothing yet."))
	}
	c.who.Refresh()
	c.ran.Refresh()
}

// servingText says where a server answers, and how many programs asked; "": it is off.
func servingText(st local.State) string {
	if !st.On {
		return ""
	}
	answered := 0
	for _, x := range st.Clients {
		if x.Requests > 0 {
			answered++
		}
	}
	return plain.Line(strings.TrimPrefix(st.Address, "http://"), 60) + " · " + kit.Count(answered, "program")
}

// clientText is a program in one line.
func clientText(x server.Client) string {
	name := x.Name
	if name == "" {
		name = "a program without a name"
	}
	parts := []string{name}
	if x.Token != "" {
		parts = append(parts, "key “"+x.Token+"”")
	}
	if x.Address != "127.0.0.1" && x.Address != "::1" {
		parts = append(parts, "from "+x.Address)
	}
	if x.Requests > 0 {
		parts = append(parts, kit.Count(x.Requests, "request"))
	}
	if x.Refused > 0 {
		parts = append(parts, "refused "+kit.Count(x.Refused, "time")+", without an access key that is valid")
	}
	if x.Active > 0 {
		parts = append(parts, "waits for an answer now")
	} else {
		parts = append(parts, "last at "+x.Last.Local().Format(time.TimeOnly))
	}
	return plain.Line(strings.Join(parts, " · "), 200)
}

// asked is what a route is for, in words.
var asked = map[string]string{
	"/v1/chat/completions": "an answer", "/v1/responses": "an answer", "/v1/messages": "an answer", "/api/chat": "an answer",
	"/v1/completions": "a text", "/api/generate": "a text",
	"/v1/embeddings": "vectors", "/api/embed": "vectors", "/api/embeddings": "vectors",
	"/v1/rerank": "a ranking", "/v2/rerank": "a ranking",
	"/v1/models": "the list of models", "/v1/models/": "a model's data", "/api/tags": "the list of models", "/api/show": "a model's data", "/api/ps": "the open models",
	"/v1/messages/count_tokens": "how long a text is", "/tokenize": "how long a text is",
}

// requestText is a request in one line.
func requestText(r server.Request, active bool) string {
	what, ok := asked[r.Route]
	if !ok {
		what = r.Route
	}
	parts := []string{r.Time.Local().Format(time.TimeOnly), what}
	if r.Model != "" {
		parts = append(parts, plain.Line(r.Model, 60))
	}
	if r.Device != "" {
		parts = append(parts, panel.DeviceName(r.Device))
	}
	if r.Rate > 0 {
		parts = append(parts, kit.WordsPerSecond(r.Rate))
	}
	took := kit.Duration(time.Duration(r.MS) * time.Millisecond)
	switch {
	case active:
		parts = append(parts, "since "+took)
	case r.Status == 499:
		parts = append(parts, "cancelled after "+took)
	case r.Status >= 400:
		parts = append(parts, "refused ("+strconv.Itoa(r.Status)+")")
	default:
		parts = append(parts, took)
	}
	return plain.Line(strings.Join(parts, " · "), 200)
}
