package documents

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// mostLeftOut is how many files that are not searched are listed.
const mostLeftOut = 200

// showDetails shows what a collection covers, and which files are not searched and why.
func (p *Panel) showDetails(c documents.Collection) {
	p.Work(func(ctx context.Context) {
		files, err := p.library.Health(ctx, c.ID)
		p.Do(func() {
			if err != nil {
				p.fail(err)
				return
			}
			p.openDetails(c, files)
		})
	})
}

func (p *Panel) openDetails(c documents.Collection, left []documents.File) {
	name := kit.NewEntry(p.Keys)
	name.SetText(c.Name)
	content := kit.Column(kit.Gap, kit.Column(2, kit.NewName("Name"), name), kit.Column(4, p.folders(c)...), kit.Column(6, p.leftOut(c, left)...))
	buttons := []kit.SheetButton{{Name: "Done", Main: true, Run: func() { p.rename(c, name.Text) }}}
	if len(left) > 0 {
		buttons = append(buttons, kit.SheetButton{Name: "Try these files again", Run: func() { p.retry(c, nil) }})
	}
	buttons = append(buttons, kit.SheetButton{Name: "Remove the collection…", Run: func() { p.confirmRemove(c) }})
	p.sheet.Open("Folders and files", content, true, buttons...)
}

// folders lists what a collection covers.
func (p *Panel) folders(c documents.Collection) []fyne.CanvasObject {
	rows := []fyne.CanvasObject{kit.NewName("Searched")}
	for _, f := range c.Folders {
		off := kit.NewQuietButton(p.Keys, "Take off", theme.CancelIcon(), func() {
			p.sheet.Close()
			p.change(func(ctx context.Context) error { return p.library.TakeOff(ctx, c.ID, f.Path) })
			p.Tell(base.ShortPath(f.Path) + " is no longer searched. It stays where it is.")
		})
		rows = append(rows, container.NewBorder(nil, nil, nil, off, kit.NewLine(base.ShortPath(f.Path), kit.TextBody, theme.ColorNameForeground)))
	}
	return rows
}

// leftOut lists the files that are not searched, with the reasons.
func (p *Panel) leftOut(c documents.Collection, left []documents.File) []fyne.CanvasObject {
	if len(left) == 0 {
		return []fyne.CanvasObject{kit.NewCaption("Every file of these folders is searched.")}
	}
	rows := []fyne.CanvasObject{kit.NewName("Not searched")}
	for i, f := range left {
		if i == mostLeftOut {
			rows = append(rows, kit.NewCaption("and "+kit.Count(len(left)-i, "more file")))
			break
		}
		name := kit.NewLine(base.ShortPath(f.Path), kit.TextBody, theme.ColorNameForeground)
		reason := kit.NewParagraph(kit.Sentence(f.Reason), kit.ColorMuted).Small().Flat
		var unlock fyne.CanvasObject
		if strings.Contains(f.Reason, "password") {
			unlock = kit.NewQuietButton(p.Keys, "Password…", theme.LoginIcon(), func() { p.askPassword(c, f) })
		}
		rows = append(rows, container.NewBorder(nil, nil, nil, unlock, kit.Column(0, name, reason)))
	}
	return rows
}

func (p *Panel) rename(c documents.Collection, name string) {
	if name != c.Name && name != "" {
		p.change(func(ctx context.Context) error { return p.library.Rename(ctx, c.ID, name) })
	}
}

// retry reads files again that could not be read; passwords are those of locked ones.
func (p *Panel) retry(c documents.Collection, passwords map[string]string) {
	p.change(func(ctx context.Context) error {
		_, err := p.library.Index(ctx, documents.IndexRequest{Collection: c.ID, Retry: true, Passwords: passwords},
			func(e documents.Event) { p.Do(func() { p.noticed(documents.Watched{Collection: c.ID, Event: &e}) }) }, nil)
		p.Do(func() { delete(p.runs, c.ID) })
		return err
	})
}

// askPassword asks for the password of a locked file. It is kept until the program ends.
func (p *Panel) askPassword(c documents.Collection, f documents.File) {
	entry := kit.NewEntry(p.Keys)
	entry.Password = true
	read := func() { p.retry(c, map[string]string{f.Path: entry.Text}) }
	entry.Submit = func() { p.sheet.Close(); read() }
	text := kit.NewParagraph("The password of "+base.ShortPath(f.Path)+". It is kept in memory until you close Inglenook, and nowhere else.", theme.ColorNameForeground)
	p.sheet.Open("Open a locked file", kit.Column(kit.GapSmall, text.Flat, entry), false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Read the file", Main: true, Run: read})
	p.Focus(entry)
}

func (p *Panel) confirmRemove(c documents.Collection) {
	text := kit.NewParagraph("What was read of "+kit.Count(c.Files, "file")+" is deleted. The files themselves stay where they are.", theme.ColorNameForeground)
	p.sheet.Open("Remove “"+c.Name+"”?", text.Flat, false, kit.SheetButton{Name: "Keep it"},
		kit.SheetButton{Name: "Remove", Main: true, Run: func() {
			p.change(func(ctx context.Context) error { return p.library.Remove(ctx, c.ID) })
		}})
}
