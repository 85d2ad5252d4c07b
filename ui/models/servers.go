package models

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/servers"
	"inglenook/plain"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Engines are the servers that a person added.
type Engines interface {
	Engines() *servers.Service
}

// serverList adds servers, and shows those that there are with their models.
type serverList struct {
	panel.Host
	app     Engines
	view    fyne.CanvasObject
	list    *fyne.Container
	address *kit.Entry
	name    *kit.Entry
	token   *kit.Entry
	add     *kit.Button
	check   *kit.Button
	result  *kit.Paragraph
	show    func(id string) // a model in the list of those that can be used

	states map[string]servers.Checked // by name, as they were when they were asked last
	asking bool
}

func newServerList(d panel.Host, a Engines, show func(id string)) *serverList {
	l := &serverList{Host: d, app: a, list: kit.Column(kit.GapWide), result: kit.NewParagraph("", kit.ColorMuted), show: show}
	line := func(hint string) *kit.Entry {
		e := kit.NewEntry(d.Keys)
		e.SetPlaceHolder(hint)
		e.Submit = l.save
		return e
	}
	l.address = line("http://localhost:8080, or several with spaces between")
	l.name = line("before the names of its models, such as lab (optional)")
	l.token = kit.NewSecret(d.Keys, "where the server asks for one")
	l.token.Submit = l.save
	l.add = kit.NewButton(d.Keys, "Add the server", theme.ContentAddIcon(), l.save)
	l.check = kit.NewQuietButton(d.Keys, "Ask them again", theme.ViewRefreshIcon(), l.ask)
	l.result.Flat.Hide()
	fields := kit.Card(kit.Column(10,
		kit.NewParagraph("Models can run elsewhere: in another program on this computer, or on another one. Give the address of an OpenAI-compatible server (vLLM, llama-server, another Inglenook), of Ollama, or of text-embeddings-inference. Its models appear everywhere with their server's name. Nothing is sent there until you choose one of them.", kit.ColorMuted).Flat,
		named("Address", l.address),
		named("Name", l.name),
		named("Access key", l.token),
		named("", container.NewHBox(l.add, l.check)),
		l.result.Flat,
	))
	l.view = kit.NewPage(d.Keys, kit.Column(kit.GapWide, fields, l.list))
	return l
}

// named puts a name before a field.
func named(name string, control fyne.CanvasObject) fyne.CanvasObject {
	label := kit.NewLine(name, kit.TextBody, theme.ColorNameForeground)
	label.Whole = true
	return container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 90}, label), nil, control)
}

// fill lists the servers.
func (l *serverList) fill() {
	l.list.Objects = nil
	for _, s := range l.app.Engines().List() {
		state, asked := l.states[s.Name]
		if !asked {
			state.Server = s
		}
		l.list.Add(l.card(state, asked))
	}
	kit.Show(l.check, len(l.list.Objects) > 0)
	l.list.Refresh()
	l.view.Refresh()
}

// mostListed bounds how many models a card names.
const mostListed = 12

func (l *serverList) card(s servers.Checked, asked bool) fyne.CanvasObject {
	title := kit.NewTitle(plain.Line(s.Name, 40))
	rows := []fyne.CanvasObject{
		container.NewBorder(nil, nil, nil, kit.NewQuietButton(l.Keys, "Remove", theme.DeleteIcon(), func() { l.remove(s.Name) }), title),
		kit.NewParagraph(l.about(s), kit.ColorMuted).Flat,
	}
	for i, address := range s.Addresses {
		text, color := plain.Line(address, 100), kit.ColorMuted
		switch {
		case asked && i < len(s.States) && s.States[i].Up:
			text, color = text+" · answers", kit.ColorSuccess
			if proxy := s.States[i].Proxy; proxy != "" {
				text += " through the proxy " + plain.Line(proxy, 100)
			}
		case asked && i < len(s.States):
			text, color = text+" · "+kit.Sentence(plain.Line(s.States[i].Why, 400)), theme.ColorNameWarning
		}
		rows = append(rows, kit.NewParagraph(text, color).Flat)
	}
	models := container.New(&kit.Wrap{})
	for i, m := range s.Models {
		if i == mostListed {
			models.Add(kit.NewCaption("and " + kit.Count(len(s.Models)-mostListed, "more model")))
			break
		}
		id := s.Name + "/" + m.ID
		if m.Wrong != "" {
			rows = append(rows, kit.NewParagraph(plain.Line(m.ID, 60)+" answered wrongly when it was asked for a vector or a score: "+plain.Line(m.Wrong, 400)+".", theme.ColorNameWarning).Flat)
		}
		models.Add(kit.NewQuietButton(l.Keys, plain.Line(m.ID, 60)+" · "+taskName(m.Kind), nil, func() { l.show(id) }))
	}
	return kit.Card(kit.Column(kit.GapSmall, append(rows, models)...))
}

// about says what a server is and whether texts leave this computer for it.
func (l *serverList) about(s servers.Checked) string {
	text := servers.FormInWords(s.Form) + ". "
	if hosts := servers.Leaves(s.Server); hosts != "" {
		return text + "Texts leave this computer: they are sent to " + plain.Line(hosts, 200) + "."
	}
	return text + "It runs on this computer, so texts stay here."
}

// save adds the server in the fields.
func (l *serverList) save() {
	r := servers.AddRequest{Addresses: strings.Fields(l.address.Text), Name: l.name.Text, Token: strings.TrimSpace(l.token.Text)}
	l.add.SetEnabled(false)
	l.say("Asking what it is…", kit.ColorMuted)
	l.Work(func(ctx context.Context) {
		got, err := l.app.Engines().Add(ctx, r)
		l.Do(func() {
			l.add.SetEnabled(true)
			switch {
			case errors.Is(err, context.Canceled):
				l.say("", kit.ColorMuted)
			case err != nil:
				l.fail(err)
			default:
				l.token.SetText("")
				l.address.SetText("")
				l.name.SetText("")
				state := servers.Checked{Server: got.Server}
				for _, a := range got.Addresses {
					state.States = append(state.States, servers.State{Address: a, Up: true})
				}
				l.note(state)
				text := plain.Line(got.Name, 40) + " is added, with " + kit.Count(len(got.Models), "model") + "."
				if len(got.Before) > 0 {
					text += " It takes the place of " + plain.Line(strings.Join(got.Before, " "), 80) + "."
				}
				if got.Token != "" {
					text += " Its access key is kept " + got.Token + "."
				}
				l.say(text, kit.ColorSuccess)
				l.fill()
				l.AnnounceModels()
			}
		})
	})
}

func (l *serverList) note(s servers.Checked) {
	if l.states == nil {
		l.states = map[string]servers.Checked{}
	}
	l.states[s.Name] = s
}

// ask asks all servers how they do.
func (l *serverList) ask() {
	if l.asking {
		return
	}
	l.asking = true
	l.check.SetEnabled(false)
	l.Work(func(ctx context.Context) {
		list, err := l.app.Engines().Check(ctx)
		l.Do(func() {
			l.asking = false
			l.check.SetEnabled(true)
			if err != nil {
				return // the window closes
			}
			for _, s := range list {
				l.note(s)
			}
			l.fill()
		})
	})
}

func (l *serverList) remove(name string) {
	addresses := ""
	for _, s := range l.app.Engines().List() {
		if s.Name == name {
			addresses = strings.Join(s.Addresses, " ")
		}
	}
	l.Work(func(ctx context.Context) {
		err := l.app.Engines().Remove(ctx, name)
		l.Do(func() {
			if err != nil {
				l.fail(err)
				return
			}
			delete(l.states, name)
			l.address.SetText(addresses) // to take it back
			l.name.SetText(name)
			l.say("Removed, with its access key. Its address is in the field, if you want it back. Nothing changed on the server.", kit.ColorMuted)
			l.fill()
			l.AnnounceModels()
		})
	})
}

func (l *serverList) fail(err error) { l.say(kit.Sentence(err.Error()), theme.ColorNameWarning) }

func (l *serverList) say(text string, color fyne.ThemeColorName) {
	l.result.Say(plain.Text(text, 1000), color)
	l.view.Refresh()
}
