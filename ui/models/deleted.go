package models

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/downloads"
	"inglenook/ui/kit"
)

// bytesOf is what several deleted models take of the disk.
func bytesOf(trash []downloads.Removed) (bytes int64) {
	for _, r := range trash {
		bytes += max(0, r.Bytes)
	}
	return bytes
}

// showTrash leads to the deleted models where there are any.
func (p *Panel) showTrash(trash []downloads.Removed) {
	p.trash = trash
	p.bin.SetText("Deleted models, " + humanize.Bytes(uint64(bytesOf(trash))) + "…")
	kit.Show(p.bin, len(trash) > 0)
	p.panes.View.Refresh()
}

// listDeleted lists the deleted models. Each can be put back, or deleted for good.
func (p *Panel) listDeleted() {
	rows := kit.Column(kit.GapSmall)
	for _, r := range p.trash {
		about := "deleted " + humanize.Time(r.At)
		if r.At.IsZero() {
			about = "deleted"
		}
		if size := bytesText(r.Bytes); size != "" {
			about = size + " · " + about
		}
		buttons := kit.Row(0,
			kit.NewButton(p.Keys, "Restore", theme.ContentUndoIcon(), func() { p.deleted.Close(); p.restore(r) }),
			kit.NewQuietButton(p.Keys, "Delete forever…", theme.DeleteIcon(), func() { p.askForever(r) }))
		name := kit.NewLine(p.nameOf(r.ID), kit.TextBody, theme.ColorNameForeground)
		name.Style.Bold = true
		rows.Add(container.NewBorder(nil, nil, nil, container.NewCenter(buttons), kit.Column(1, name, kit.NewCaption(about))))
	}
	note := kit.NewParagraph("They stay here for 30 days after they were deleted, then they are gone for good. Until then they take room on the disk.", kit.ColorMuted).Small().Flat
	list := container.New(&kit.Capped{Most: deletedHeight}, p.Keys.Follow(container.NewVScroll(rows)))
	p.deleted.Width = deletedWidth
	p.deleted.Open("Deleted models", kit.Column(kit.Gap, note, list), false,
		kit.SheetButton{Name: "Delete all forever…", Stays: true, Run: func() { p.askForever(p.trash...) }}, kit.SheetButton{Name: "Close", Main: true})
}

// The list of deleted models has room for five of them, and for their buttons beside their names.
const (
	deletedHeight float32 = 260
	deletedWidth  float32 = 620
)

// askForever asks whether deleted models are to go for good.
func (p *Panel) askForever(list ...downloads.Removed) {
	what := kit.Count(len(list), "deleted model")
	if len(list) == 1 {
		what = p.nameOf(list[0].ID)
	}
	text := kit.NewParagraph("This frees "+humanize.Bytes(uint64(bytesOf(list)))+". To have it again it would have to be downloaded again.", theme.ColorNameForeground).Flat
	p.deleted.Width = 0
	p.deleted.Open("Delete "+kit.Brief(what)+" forever?", text, false,
		kit.SheetButton{Name: "Cancel", Main: true, Run: p.listDeleted}, kit.SheetButton{Name: "Delete forever", Run: func() { p.deleteForever(list) }})
}

// deleteForever deletes models out of the trash.
func (p *Panel) deleteForever(list []downloads.Removed) {
	p.notice.Hide()
	p.Work(func(context.Context) {
		freed := int64(0)
		var err error
		for _, r := range list {
			bytes, failed := p.app.DeleteRemoved(r)
			if freed += bytes; failed != nil {
				err = failed
			}
		}
		p.Do(func() {
			for _, r := range list {
				p.forgetUndo(r)
			}
			if err != nil {
				p.ShowError(err)
			} else {
				p.Tell("Deleted forever, which freed " + humanize.Bytes(uint64(max(0, freed))) + ".")
			}
			p.reload()
		})
	})
}

// forgetUndo drops what would put a deleted model back: it is back, or gone for good.
func (p *Panel) forgetUndo(r downloads.Removed) {
	p.undos = slices.DeleteFunc(p.undos, func(u *undo) bool { return u.of != nil && u.of.Key == r.Key && u.of.ID == r.ID })
}

// newBin is the button that leads to the deleted models, and the sheet for them.
func (p *Panel) newBin() {
	p.bin = kit.NewQuietButton(p.Keys, "", theme.DeleteIcon(), p.listDeleted)
	p.bin.Hide()
	p.deleted = kit.NewSheet(p.Keys, func() fyne.CanvasObject { return p.view })
}
