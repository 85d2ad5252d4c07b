package settings

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/tools"
	"inglenook/plain"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Tools are the tool servers that a person added.
type Tools interface {
	Tools() *tools.Service
}

// toolsCard lists the tool servers and adds more.
type toolsCard struct {
	panel.Host
	app     Tools
	view    *fyne.Container
	list    *fyne.Container
	begin   *kit.Button     // opens the form
	tryAll  *kit.Button     // asks all servers that are on
	closed  *fyne.Container // both, while the form is not in view
	form    *fyne.Container
	name    *kit.Entry
	command *kit.Entry // or an address
	extra   *kit.Entry
	add     *kit.Button
	try     *kit.Button
	cancel  *kit.Button // of editing
	result  *kit.Paragraph
	pending *kit.Paragraph // what is not applied
	marked  func()         // hears when what is not applied may have changed
	editing string         // the server that is edited; "": a new one is added
	failed  string         // what the fields held when a try of them failed; "": none did
	filled  tools.Server   // what the fields said before anything was typed
}

func newToolsCard(d panel.Host, a Tools) *toolsCard {
	c := &toolsCard{Host: d, app: a, list: kit.Column(kit.GapSmall), marked: func() {}, result: kit.NewParagraph("", kit.ColorMuted), pending: newPending()}
	line := func(hint string) *kit.Entry {
		e := kit.NewEntry(d.Keys)
		e.SetPlaceHolder(hint)
		e.Submit = c.apply
		e.OnChanged = func(string) { c.mark() }
		return e
	}
	c.name = line("For you to recognise it, such as Clock")
	c.command = line("A command, or an address that begins with http")
	c.extra = kit.NewEntry(d.Keys)
	c.extra.MultiLine = true
	c.extra.SetMinRowsVisible(2)
	c.extra.SetPlaceHolder("NAME=value, one a line (optional)")
	c.extra.OnChanged = func(string) { c.mark() }
	c.add = kit.NewButton(d.Keys, "Add", theme.ContentAddIcon(), c.apply)
	c.add.Importance = widget.HighImportance
	c.try = kit.NewButton(d.Keys, "Try it", theme.ViewRefreshIcon(), func() { c.check(false) })
	c.cancel = kit.NewQuietButton(d.Keys, "Cancel", nil, func() { c.shut(); c.show("", kit.ColorMuted) })
	c.begin = kit.NewButton(d.Keys, "Add a tool server…", theme.ContentAddIcon(), func() { c.open(tools.Server{}) })
	c.tryAll = kit.NewQuietButton(d.Keys, "Try all", theme.ViewRefreshIcon(), func() { c.check(true) })
	c.closed = container.NewHBox(c.begin, c.tryAll)
	c.form = kit.Column(10,
		wide("Name", c.name),
		wide("Command", c.command),
		wide("Variables", c.extra),
		wide("", container.NewHBox(c.add, c.try, c.cancel)),
		c.pending.Flat,
	)
	c.result.Flat.Hide()
	c.view = kit.Column(10,
		kit.NewParagraph("Programs that a model may use, such as a clock or a search (MCP servers). None is used by itself: switch tools on among the choices of a chat. Each call is shown to you before it runs. A chat with tools can search your documents, too.", kit.ColorMuted).Flat,
		c.list,
		c.closed,
		c.form,
		c.result.Flat,
	)
	c.fill()
	c.shut()
	return c
}

// open shows the form for a server, with the keyboard in it; the zero one is a new one.
func (c *toolsCard) open(s tools.Server) {
	c.edit(s)
	c.closed.Hide()
	c.form.Show()
	c.show("", kit.ColorMuted) // it was about something else
	c.view.Refresh()
	c.Focus(c.name)
}

// shut shows the button that opens the form in its place.
func (c *toolsCard) shut() {
	c.edit(tools.Server{})
	c.form.Hide()
	c.closed.Show()
	c.view.Refresh()
}

// fill lists the servers.
func (c *toolsCard) fill() {
	c.list.Objects = nil
	for _, s := range c.app.Tools().Servers() {
		c.list.Add(c.row(s))
	}
	kit.Show(c.list, len(c.list.Objects) > 0)
	kit.Show(c.tryAll, len(c.list.Objects) > 0)
	c.list.Refresh()
	c.view.Refresh()
}

func (c *toolsCard) row(s tools.Server) fyne.CanvasObject {
	on := kit.NewCheck(c.Keys, plain.Line(s.Name, 40), nil)
	on.Checked = !s.Off
	on.OnChanged = func(on bool) {
		s.Off = !on
		c.keep(s.Name, s, "")
	}
	where := s.Command + s.Address
	if n := len(s.Always); n > 0 {
		where += " · " + kit.Count(n, "tool") + " always allowed"
	}
	buttons := kit.Row(0, kit.NewQuietButton(c.Keys, "Edit", theme.DocumentCreateIcon(), func() { c.open(s) }),
		kit.NewQuietButton(c.Keys, "Remove", theme.DeleteIcon(), func() { c.remove(s) }))
	return container.NewBorder(nil, nil, nil, container.NewCenter(buttons), kit.Column(0, on, kit.Inset(kit.NewCaption(plain.Line(where, 200)), 0, kit.Gap)))
}

// edit puts a server into the fields; the zero one begins a new one.
func (c *toolsCard) edit(s tools.Server) {
	c.editing, c.filled = s.Name, s
	c.name.SetText(s.Name)
	c.command.SetText(s.Command + s.Address)
	c.extra.SetText(strings.Join(s.Extra, "\n"))
	label := "Add"
	if s.Name != "" {
		label = "Save"
	}
	c.add.SetText(label)
	c.mark()
}

// unapplied names what is typed and neither added nor saved.
func (c *toolsCard) unapplied() []string {
	if c.name.Text == c.filled.Name && c.command.Text == c.filled.Command+c.filled.Address && c.extra.Text == strings.Join(c.filled.Extra, "\n") {
		return nil
	}
	return []string{"the tool"}
}

// mark says whether the fields are applied.
func (c *toolsCard) mark() {
	names := c.unapplied()
	showPending(c.pending, names)
	c.view.Refresh()
	c.marked()
}

// typed is all that the fields hold.
func (c *toolsCard) typed() string { return c.name.Text + "\n" + c.command.Text + "\n" + c.extra.Text }

// written is the server that the fields say.
func (c *toolsCard) written() tools.Server {
	s := tools.Server{Name: c.name.Text, Extra: strings.Split(c.extra.Text, "\n")}
	if where := strings.TrimSpace(c.command.Text); strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		s.Address = where
	} else {
		s.Command = where
	}
	for _, known := range c.app.Tools().Servers() {
		s.Off = s.Off || known.Name == c.editing && known.Off
	}
	return s
}

// apply adds or saves what is typed.
func (c *toolsCard) apply() {
	said := "Kept, and not tried yet. “Try all” shows which tools there are."
	if c.failed != "" && c.failed == c.typed() {
		said = "Kept, though it did not work when you tried it. Edit it, or try it again later."
	}
	c.keep(c.editing, c.written(), said)
}

// keep keeps a server in the place of the one of an old name, and then says so.
func (c *toolsCard) keep(old string, s tools.Server, said string) {
	c.Work(func(context.Context) {
		err := c.app.Tools().Save(old, s)
		c.Do(func() {
			if err != nil {
				c.fail(err)
				return
			}
			if said != "" {
				c.shut()
				c.show(said, kit.ColorMuted)
			}
			c.fill()
		})
	})
}

// remove takes a server off the list; it can be put back.
func (c *toolsCard) remove(s tools.Server) {
	c.Work(func(context.Context) {
		err := c.app.Tools().Remove(s.Name)
		c.Do(func() {
			if err != nil {
				c.fail(err)
				return
			}
			if c.editing == s.Name {
				c.shut()
			}
			c.show("", kit.ColorMuted)
			c.fill()
			c.Offer("Removed “"+plain.Line(s.Name, 40)+"”. No chat can use its tools now.", "Undo", func() { c.keep("", s, "") })
		})
	})
}

// check tries the server in the fields, or all that are on.
func (c *toolsCard) check(all bool) {
	s, typed := c.written(), c.typed()
	c.failed = ""
	asks := []*kit.Button{c.try, c.tryAll}
	for _, b := range asks {
		b.SetEnabled(false)
	}
	c.show("Asking…", kit.ColorMuted)
	c.Work(func(ctx context.Context) {
		var found []tools.Tool
		var notes []string
		var err error
		if all {
			found, notes, err = c.app.Tools().Offered(ctx)
		} else {
			found, notes, err = c.app.Tools().Try(ctx, s)
		}
		c.Do(func() {
			for _, b := range asks {
				b.SetEnabled(true)
			}
			switch {
			case errors.Is(err, context.Canceled):
				c.show("", kit.ColorMuted)
			case err != nil:
				c.failed = typed
				c.fail(err)
			case len(found) == 0 || len(notes) > 0:
				c.show(foundText(found, notes, all), theme.ColorNameWarning)
			default:
				c.show(foundText(found, notes, all), kit.ColorSuccess)
			}
		})
	})
}

// foundText says which tools there are, of one server or of all, and what is wrong with any.
func foundText(found []tools.Tool, notes []string, all bool) string {
	names := make([]string, len(found))
	for i, t := range found {
		names[i] = plain.Line(t.Name, 64)
	}
	listed := kit.Count(len(found), "tool") + ": " + plain.Line(strings.Join(names, ", "), 600) + "."
	var said []string
	switch {
	case len(found) > 0 && all:
		said = append(said, "A chat can use "+listed)
	case len(found) > 0:
		said = append(said, "It works and has "+listed)
	case len(notes) > 0: // they say why
	case all:
		said = append(said, "No tool server here has a tool, or none is switched on.")
	default:
		said = append(said, "It answers, but has no tools.")
	}
	for _, n := range notes {
		said = append(said, kit.Sentence(n))
	}
	return strings.Join(said, " ")
}

func (c *toolsCard) fail(err error) { c.show(kit.Sentence(err.Error()), theme.ColorNameWarning) }

func (c *toolsCard) show(text string, color fyne.ThemeColorName) {
	c.result.Say(plain.Text(text, 1000), color)
	c.view.Refresh()
}
