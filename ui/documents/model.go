package documents

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/kit"
)

// embedders are the models with which a collection can be searched by meaning.
func embedders(all []library.Model) []library.Model {
	return slices.DeleteFunc(slices.Clone(all), func(m library.Model) bool { return !m.Usable || m.Kind != library.KindEmbedding })
}

// model offers the models with which a collection can be searched by meaning.
func (p *Panel) model(d details) []fyne.CanvasObject {
	current := d.Model
	if d.Next != "" {
		current = d.Next
	}
	if !slices.ContainsFunc(d.models, func(m library.Model) bool { return m.ID == current }) {
		d.models = append(d.models, library.Model{ID: current, Name: current})
	}
	names := make([]string, len(d.models))
	for i, m := range d.models {
		names[i] = m.Title()
	}
	var choice *kit.Choice
	choice = kit.NewChoice(p.Keys, nil, func(string) {
		if i := choice.SelectedIndex(); i >= 0 && d.models[i].ID != current {
			current = d.models[i].ID
			p.setModel(d.Collection, d.models[i])
		}
	})
	choice.Offer(names, slices.IndexFunc(d.models, func(m library.Model) bool { return m.ID == current }))
	about := "A larger model finds more by meaning and takes longer to read files. With another one all files are read again, in the background. You can search meanwhile."
	rows := []fyne.CanvasObject{kit.NewName("Model for the search by meaning"), choice, kit.NewParagraph(about, kit.ColorMuted).Small().Flat}
	return append(rows, p.mayAsk(d)...)
}

// mayAsk asks whether the texts of a collection may go to a server that was not chosen for it here.
func (p *Panel) mayAsk(d details) []fyne.CanvasObject {
	if d.Ask == "" {
		return nil
	}
	server, _, _ := strings.Cut(d.Ask, "/")
	about := "The server " + kit.Brief(server) + " was added anew or has another address, so nothing of this collection is sent there unless you allow it."
	where := ""
	if i := slices.IndexFunc(d.models, func(m library.Model) bool { return m.ID == d.Ask }); i >= 0 {
		where = " " + d.models[i].SentInWords()
	}
	allow := kit.NewButton(p.Keys, "Allow "+kit.Brief(d.Ask), theme.ConfirmIcon(), func() {
		p.sheet.Close()
		p.setModel(d.Collection, library.Model{ID: d.Ask, Name: d.Ask})
	})
	return []fyne.CanvasObject{kit.NewParagraph(about+where, theme.ColorNameWarning).Flat, container.NewHBox(allow)}
}

// setModel makes another model embed a collection; the watch does the work.
func (p *Panel) setModel(c documents.Collection, m library.Model) {
	p.change(func(ctx context.Context) error { return p.library.SetModel(ctx, c.ID, m.ID) })
	if m.ID != c.Model {
		p.Tell(c.Name + " gets ready for " + m.Title() + ". You can search meanwhile.")
	}
}

// keepModel cancels the change to another model.
func (s *session) keepModel(c documents.Collection) {
	s.change(func(ctx context.Context) error { return s.library.SetModel(ctx, c.ID, c.Model) })
	s.Tell(c.Name + " stays with the model that it had.")
}

// newKeepButton offers to give up the change of the collection that shown returns.
func newKeepButton(s *session, shown func() (documents.Collection, bool)) *kit.Button {
	return kit.NewQuietButton(s.Keys, "Keep the model before", theme.CancelIcon(), func() {
		if c, ok := shown(); ok {
			s.keepModel(c)
		}
	})
}

// Fits reports whether a collection can be searched by meaning with a model; why not.
func Fits(m library.Model) (why string, ok bool) {
	if len(embedders([]library.Model{m})) == 0 {
		return m.Name + " is not made for comparing texts by their meaning.", false
	}
	return "", true
}

// Use asks which collection this model is to search by meaning. Its files are read again then, so
// nothing begins before a person says so.
func (p *Panel) Use(m library.Model) {
	p.Work(func(ctx context.Context) {
		all, err := p.library.Collections(ctx)
		p.Do(func() {
			if err = errors.Join(err, ctx.Err()); err != nil {
				p.fail(err)
				return
			}
			p.askFor(m, p.inView(all))
		})
	})
}

// askFor asks which of these collections a model is to search.
func (p *Panel) askFor(m library.Model, all []documents.Collection) {
	if len(all) == 0 {
		p.sheet.Open("There are no documents yet", kit.NewParagraph("Add a folder or files first. Then “"+manageName+"” lets you choose "+m.Title()+" for them.", theme.ColorNameForeground).Flat, false, kit.SheetButton{Name: "Close", Main: true})
		return
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	choice := kit.NewChoice(p.Keys, nil, nil)
	choice.Offer(names, max(0, slices.IndexFunc(all, func(c documents.Collection) bool { return c.ID == p.chosen })))
	content := kit.Column(kit.Gap, kit.Column(2, kit.NewName("Collection"), choice),
		kit.NewParagraph("All its files are read again with this model, in the background. You can search meanwhile.", kit.ColorMuted).Flat)
	p.sheet.Open("Search by meaning with "+m.Title(), content, false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Use it", Main: true, Run: func() {
			if i := choice.SelectedIndex(); i >= 0 {
				p.setModel(all[i], m)
			}
		}})
}
