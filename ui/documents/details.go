package documents

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/kit"
)

// mostLeftOut is how many files that are not searched are listed.
const mostLeftOut = 200

// details are what the sheet about a collection shows.
type details struct {
	documents.Collection
	left   []documents.File // not searched
	models []library.Model  // that can embed it
}

// showDetails shows what a collection covers, its model, and which files are not
// searched and why.
func (p *Panel) showDetails(c documents.Collection) {
	p.Work(func(ctx context.Context) {
		left, err := p.library.Health(ctx, c.ID)
		models, unknown := p.App.Models(ctx)
		now, failed := p.library.Collections(ctx) // a server may have been added since they were listed
		p.Do(func() {
			if err = errors.Join(err, unknown, failed); err != nil {
				p.fail(err)
				return
			}
			if i := slices.IndexFunc(now, func(o documents.Collection) bool { return o.ID == c.ID }); i >= 0 {
				c.Ask = now[i].Ask
			}
			p.openDetails(details{c, left, embedders(models)})
			p.session.list() // files may have failed since the collections were listed
		})
	})
}

func (p *Panel) openDetails(d details) {
	name := kit.NewEntry(p.Keys)
	name.SetText(d.Name)
	searched := append(p.folders(d.Collection), p.leftOut(d)...)
	meaning := append(p.model(d), aboutModel(d)...)
	content := kit.Column(kit.GapWide, kit.Column(2, kit.NewName("Name"), name), kit.Column(4, searched...), kit.Column(4, meaning...))
	buttons := []kit.SheetButton{{Name: "Remove the collection…", Run: func() { p.confirmRemove(d.Collection) }}}
	if len(d.left) > 0 {
		buttons = append(buttons, kit.SheetButton{Name: "Try these files again", Run: func() { p.retry(d.Collection) }})
	}
	buttons = append(buttons, kit.SheetButton{Name: "Done", Main: true, Run: func() { p.rename(d.Collection, name.Text) }})
	p.sheet.Open("Manage the collection", content, true, buttons...)
}

// aboutModel are sentences on how the model of a collection works.
func aboutModel(d details) (rows []fyne.CanvasObject) {
	for _, about := range []string{d.Held.About("passage"), d.AboutChecks()} {
		if about != "" {
			rows = append(rows, kit.NewParagraph(about, kit.ColorMuted).Small().Flat)
		}
	}
	return rows
}

// folders lists what a collection covers.
func (p *Panel) folders(c documents.Collection) []fyne.CanvasObject {
	if coversNothing(c) {
		return []fyne.CanvasObject{kit.NewParagraph("This collection has no files. Close this sheet and add a folder or files to it.", kit.ColorMuted).Flat}
	}
	rows := []fyne.CanvasObject{kit.NewName("Searched")}
	for _, f := range c.Folders {
		off := kit.NewQuietButton(p.Keys, "Remove", theme.CancelIcon(), func() {
			p.sheet.Close()
			p.leaveOut(c, f.Path, f)
		})
		rows = append(rows, container.NewBorder(nil, nil, nil, off, kit.NewLine(base.ShortPath(f.Path), kit.TextBody, theme.ColorNameForeground)))
	}
	return rows
}

// leftOut lists the files that are not searched, and those that cannot be read just now.
func (p *Panel) leftOut(d details) []fyne.CanvasObject {
	if coversNothing(d.Collection) {
		return nil
	}
	if len(d.left) == 0 {
		return []fyne.CanvasObject{kit.NewCaption("Every file here is searched.")}
	}
	var out, kept []documents.File
	for _, f := range d.left {
		if documents.Kept(f) {
			kept = append(kept, f)
		} else {
			out = append(out, f)
		}
	}
	rows := p.byReason("Not searched", d.Collection, out)
	return append(rows, p.byReason("Searched as they were read before", d.Collection, kept)...)
}

// byReason lists files below a title, those with the same reason together; none: nothing.
func (p *Panel) byReason(title string, c documents.Collection, files []documents.File) []fyne.CanvasObject {
	if len(files) == 0 {
		return nil
	}
	rows := []fyne.CanvasObject{kit.NewName(title)}
	listed := 0
	for _, g := range byReason(files) {
		for _, f := range g.files[:max(0, min(len(g.files), mostLeftOut-listed))] {
			rows = append(rows, p.leftOutRow(c, f))
			listed++
		}
		reason := g.reason
		if len(g.files) > 1 {
			reason = "The reason is the same for these " + kit.Count(len(g.files), "file") + ": " + g.reason
		}
		rows = append(rows, kit.NewParagraph(kit.Sentence(reason), kit.ColorMuted).Small().Flat)
	}
	if n := len(files) - listed; n > 0 {
		rows = append(rows, kit.NewCaption("and "+kit.Count(n, "more file")))
	}
	return rows
}

// leftOutRow is a file that is not searched, with what can be done about it.
func (p *Panel) leftOutRow(c documents.Collection, f documents.File) fyne.CanvasObject {
	name := kit.NewLine(base.ShortPath(f.Path), kit.TextBody, theme.ColorNameForeground)
	act := kit.NewQuietButton(p.Keys, "Open", theme.FileIcon(), func() { p.openPath(f.Path, 0) })
	if locked(f) {
		act = kit.NewQuietButton(p.Keys, "Password…", theme.LoginIcon(), func() { p.askPassword(c, f, false) })
	}
	return container.NewBorder(nil, nil, nil, act, name)
}

// locked reports whether a file that is not searched waits for its password.
func locked(f documents.File) bool { return strings.Contains(f.Reason, "it is locked") }

// reasonGroup are files that are not searched for one reason.
type reasonGroup struct {
	reason string
	files  []documents.File
}

// byReason groups files by their reasons, in the order in which those come first.
func byReason(files []documents.File) (groups []reasonGroup) {
	for _, f := range files {
		i := slices.IndexFunc(groups, func(g reasonGroup) bool { return g.reason == f.Reason })
		if i < 0 {
			groups, i = append(groups, reasonGroup{reason: f.Reason}), len(groups)
		}
		groups[i].files = append(groups[i].files, f)
	}
	return groups
}

func (p *Panel) rename(c documents.Collection, name string) {
	if name != c.Name && name != "" {
		p.change(func(ctx context.Context) error { return p.library.Rename(ctx, c.ID, name) })
	}
}

// retry reads files again that are not searched, and says how it went.
func (p *Panel) retry(c documents.Collection) {
	waits := func() { p.Do(func() { p.Tell("These files are read when the others have been read.") }) }
	p.read(documents.IndexRequest{Collection: c.ID, Retry: true, Waits: waits}, func(r documents.IndexResult) {
		if n := r.Collection.Failed + r.Collection.Skipped; n > 0 {
			p.Tell("Read " + kit.Count(r.Indexed, "file") + ". " + unreadable(n) + ", as before.")
		} else {
			p.Tell("Read " + kit.Count(r.Indexed, "file") + ".")
		}
	})
}

// read brings a collection in step, at once or after the run that goes on, and then does something.
func (p *Panel) read(r documents.IndexRequest, then func(documents.IndexResult)) {
	p.change(func(ctx context.Context) error {
		result, err := p.library.Index(ctx, r, func(e documents.Event) {
			p.Do(func() { p.noticed(documents.Watched{Collection: r.Collection, Event: &e}) })
		},
			func(l base.Progress) {
				p.Do(func() { p.noticed(documents.Watched{Collection: r.Collection, Loading: &l}) })
			})
		p.Do(func() {
			delete(p.runs, r.Collection)
			if err == nil {
				p.searchAgain(result)
				then(result)
			}
		})
		return err
	})
}

// askPassword asks for the password of a locked file; again says that one was wrong.
func (p *Panel) askPassword(c documents.Collection, f documents.File, again bool) {
	entry := kit.NewEntry(p.Keys)
	entry.Password = true
	open := func() { p.unlock(c, f, entry.Text) }
	entry.Submit = func() { p.sheet.Close(); open() }
	about := "The password of " + base.ShortPath(f.Path) + ". It is kept in memory until you close Inglenook, and nowhere else."
	if again {
		about = "That password does not open " + base.ShortPath(f.Path) + ". Try another one."
	}
	p.sheet.Open("Open a locked file", kit.Column(kit.GapSmall, kit.NewParagraph(about, theme.ColorNameForeground).Flat, entry), false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Read the file", Main: true, Run: open})
	p.Focus(entry)
}

// unlock reads a locked file with a password, which is tried at once: the file itself may have to wait for others.
func (p *Panel) unlock(c documents.Collection, f documents.File, password string) {
	p.Work(func(ctx context.Context) {
		opens, err := p.library.Unlocks(ctx, f.Path, password)
		p.Do(func() {
			switch {
			case err != nil:
				p.fail(err)
			case !opens:
				p.askPassword(c, f, true)
			default:
				p.readUnlocked(c, f, password)
			}
		})
	})
}

// readUnlocked reads a file with a password that opens it.
func (p *Panel) readUnlocked(c documents.Collection, f documents.File, password string) {
	waits := func() {
		p.Do(func() { p.Tell("The password is kept. " + nameOf(f) + " is read when the others have been read.") })
	}
	r := documents.IndexRequest{Collection: c.ID, Passwords: map[string]string{f.Path: password}, Waits: waits}
	p.read(r, func(documents.IndexResult) {
		p.Work(func(ctx context.Context) {
			left, err := p.library.Health(ctx, c.ID)
			locked := slices.ContainsFunc(left, func(l documents.File) bool { return l.Path == f.Path })
			p.Do(func() {
				switch {
				case err != nil:
					p.fail(err)
				case locked:
					p.askPassword(c, f, true)
				default:
					p.Tell(base.ShortPath(f.Path) + " is searched now.")
					if h, ok := p.hit(); ok && h.file.File.Path == f.Path { // in the place of the reason
						f.State, f.Reason = "", ""
						p.showDocument(f, c)
					}
				}
			})
		})
	})
}

// confirmRemove asks before a collection is removed, and says which chats go without it then.
func (p *Panel) confirmRemove(c documents.Collection) {
	p.Work(func(context.Context) {
		chats, err := p.asking(c.ID, c.Name)
		p.Do(func() {
			if err != nil {
				p.App.Log().Warn("chats that ask documents", slog.Any("error", err))
			}
			p.askRemove(c, chats)
		})
	})
}

func (p *Panel) askRemove(c documents.Collection, chats int) {
	text := kit.NewParagraph(removalText(c.Files, chats), theme.ColorNameForeground)
	p.sheet.Open("Remove “"+c.Name+"”?", text.Flat, false, kit.SheetButton{Name: "Keep it", Main: true},
		kit.SheetButton{Name: "Remove", Run: func() { p.remove(c) }})
}

// removalText says what goes with a collection of so many files.
func removalText(files, chats int) string {
	text := "The search index of " + kit.Count(files, "file") + " is deleted. The files themselves stay where they are."
	switch {
	case chats == 1:
		return text + " One chat asks these documents; it keeps its answers, and later questions in it go without documents."
	case chats > 1:
		return fmt.Sprintf("%s %s chats ask these documents; they keep their answers, and later questions in them go without documents.", text, humanize.Comma(int64(chats)))
	}
	return text
}
