package models

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"github.com/dustin/go-humanize"
)

// buttons are what can be done with the model in view.
func (p *modelPage) buttons() []fyne.CanvasObject {
	if p.item.installed != nil {
		return p.installedButtons(*p.item.installed)
	}
	k := p.owner.Keys
	form := p.forms[p.form]
	v, known := p.variant()
	if p.owner.isHere(form.repo) && (!known || p.owner.hasWeights(form.repo, v)) {
		return []fyne.CanvasObject{kit.NewButton(k, "Show in Installed", theme.NavigateNextIcon(), func() { p.owner.goTo(p.owner.idHere(form.repo)) })}
	}
	if d, ok := downloadOf(p.owner.app.Downloads(), form.repo); ok && d.State != downloads.DownloadDone {
		return []fyne.CanvasObject{kit.NewButton(k, downloadText(d), theme.DownloadIcon(), p.owner.showDownloads)}
	}
	label := "Download"
	if known && !p.runsSomewhere() {
		label += " anyway"
	}
	if known {
		label += " " + humanize.Bytes(uint64(v.Bytes))
	}
	get := kit.NewButton(k, label, theme.DownloadIcon(), p.download)
	if p.runsSomewhere() {
		get.Importance = widget.HighImportance
	}
	get.SetEnabled(known && !p.owner.app.Offline())
	list := []fyne.CanvasObject{get}
	if p.failed != "" && !p.owner.app.Offline() && p.asking == "" {
		list = append(list, kit.NewButton(k, "Try again", theme.ViewRefreshIcon(), func() { p.ask(); p.draw() }))
	}
	return list
}

func (p *modelPage) installedButtons(m pool.Installed) []fyne.CanvasObject {
	k := p.owner.Keys
	var list []fyne.CanvasObject
	put := func(b *kit.Button) { list = append(list, b) }
	if m.Usable {
		for _, use := range p.owner.uses {
			if _, ok := use.Fits(m.Model); ok {
				put(kit.NewButton(k, "Use in "+use.In.Name, use.In.Icon(theme.ColorNameForeground), func() { use.Open(m.Model) }))
			}
		}
	}
	if len(m.Open) > 0 {
		put(kit.NewQuietButton(k, "Unload", theme.LogoutIcon(), p.unload))
	}
	if m.Source == library.SourceHubCache {
		put(kit.NewQuietButton(k, "Verify", theme.ConfirmIcon(), p.verify))
		if !p.owner.app.Offline() && m.ID != m.Path {
			put(kit.NewQuietButton(k, "Look for an update", theme.ViewRefreshIcon(), p.lookForUpdate))
		}
	}
	if m.Path != "" {
		put(kit.NewQuietButton(k, "Open folder", theme.FolderOpenIcon(), func() { p.owner.openPath(folderOf(m.Model)) }))
	}
	switch m.Source {
	case library.SourceHubCache:
		label := "Delete, " + humanize.Bytes(uint64(max(0, m.Bytes)))
		if m.ID == m.Path {
			label = "Delete all its forms"
		}
		put(kit.NewQuietButton(k, label, theme.DeleteIcon(), p.remove))
	case library.SourceFolder, library.SourceFile:
		put(kit.NewQuietButton(k, "Remove from list", theme.ContentRemoveIcon(), p.forgetIt))
	}
	return list
}

// folderOf is the folder of a model.
func folderOf(m library.Model) string {
	if m.Source == library.SourceFile {
		if i := strings.LastIndexAny(m.Path, `/\`); i > 0 {
			return m.Path[:i]
		}
	}
	return m.Path
}

// hasWeights reports whether the weights of a variant are among the files of a model
// that is installed.
func (p *Panel) hasWeights(id string, v downloads.Variant) bool {
	i := slices.IndexFunc(p.installed, func(i pool.Installed) bool { return strings.EqualFold(i.ID, id) })
	return i >= 0 && !slices.ContainsFunc(v.Files, func(f downloads.PreviewFile) bool {
		weights := strings.HasSuffix(f.Path, ".gguf") || strings.HasSuffix(f.Path, ".safetensors")
		return f.Fetched && weights && !slices.ContainsFunc(p.installed[i].Files, func(have library.ModelFile) bool { return have.Path == f.Path })
	})
}

// idHere is how an installed model is called, whatever the case it is asked in.
func (p *Panel) idHere(id string) string {
	for _, i := range p.installed {
		if strings.EqualFold(i.ID, id) {
			return i.ID
		}
	}
	return id
}

// download puts the form in view in line.
func (p *modelPage) download() {
	v, ok := p.variant()
	if !ok {
		return
	}
	r := downloads.DownloadRequest{ID: p.preview.ID, Files: v.Patterns()}
	p.owner.Work(func(ctx context.Context) {
		err := p.owner.app.StartDownload(ctx, r)
		p.owner.Do(func() {
			if err != nil {
				p.owner.ShowError(err)
				return
			}
			p.owner.Tell("Downloading " + r.ID + ".")
			p.draw()
			p.owner.Watch()
		})
	})
}

// follow keeps the button of a download under way up to date.
func (p *modelPage) follow(list []downloads.Download) {
	if p.item == nil || p.item.installed != nil {
		return
	}
	if d, ok := downloadOf(list, p.forms[p.form].repo); ok && downloadText(d) != p.told {
		p.told = ""
		p.draw()
	}
}

func downloadOf(list []downloads.Download, id string) (downloads.Download, bool) {
	for _, d := range list {
		if strings.EqualFold(d.ID, id) {
			return d, true
		}
	}
	return downloads.Download{}, false
}

// lately runs work on the model in view with progress; what it finds is told on the page.
func (p *modelPage) lately(stage string, work func(ctx context.Context, report func(base.Progress)) (told string, err error)) {
	if p.running != nil {
		return
	}
	ctx, cancel := context.WithCancel(p.owner.Life)
	p.running = cancel
	p.Stage.Set(stage)
	p.Left.Set("")
	p.Bar.Set(0)
	p.Progress.Show()
	p.view.Refresh()
	key := p.item.key()
	var last time.Time
	report := func(s base.Progress) {
		if time.Since(last) < panel.ReportEvery {
			return
		}
		last = time.Now()
		p.owner.Do(func() {
			if s.Total > 0 {
				p.Bar.Set(float64(s.Done) / float64(s.Total))
			}
			if s.Left >= time.Second {
				p.Left.Set(kit.Duration(s.Left.Round(time.Second)) + " left")
			}
		})
	}
	p.owner.Work(func(context.Context) {
		told, err := work(ctx, report)
		cancel()
		p.owner.Do(func() {
			p.running = nil
			p.Progress.Hide()
			p.view.Refresh()
			switch {
			case errors.Is(err, context.Canceled):
				p.owner.Tell("Cancelled.")
			case err != nil:
				p.owner.ShowError(err)
			case p.item != nil && p.item.key() == key:
				p.told = told
				p.draw()
			}
		})
	})
}

// verify hashes all files of the model; what is not right can be repaired.
func (p *modelPage) verify() {
	id := p.item.key()
	p.lately("Hashing every file…", func(ctx context.Context, report func(base.Progress)) (string, error) {
		v, err := p.owner.app.VerifyModel(ctx, id, report)
		if err != nil || len(v.Bad) == 0 {
			return verifiedText(v), err
		}
		p.owner.Do(func() {
			p.owner.notice.Say(damageText(v), "Repair", func() {
				p.owner.notice.Hide()
				p.repair(id)
			})
			p.owner.view.Refresh()
		})
		return damageText(v), nil
	})
}

func verifiedText(v downloads.Verification) string {
	return "Verified: " + kit.Count(v.Files, "file") + ", " + humanize.Bytes(uint64(v.Bytes)) + ", all as the Hub has them."
}

// damageText names the first file that is not right, and why.
func damageText(v downloads.Verification) string {
	first := v.Bad[0]
	text := first.Path + " is damaged: " + kit.Sentence(first.Why)
	if n := len(v.Bad) - 1; n > 0 {
		text += " So are " + kit.Count(n, "more file") + "."
	}
	return text
}

func (p *modelPage) repair(id string) {
	p.lately("Fetching what is damaged…", func(ctx context.Context, report func(base.Progress)) (string, error) {
		v, err := p.owner.app.RepairModel(ctx, id, report)
		if err == nil && len(v.Bad) > 0 {
			return damageText(v), nil
		}
		return "Repaired. " + verifiedText(v), err
	})
}

// lookForUpdate asks the Hub for another commit. The model that is here stays as it is.
func (p *modelPage) lookForUpdate() {
	id := p.item.key()
	p.lately("Asking the Hub…", func(ctx context.Context, _ func(base.Progress)) (string, error) {
		commit, err := p.owner.app.UpdateOf(ctx, id)
		if err != nil {
			return "", err
		}
		if commit == "" {
			return "The Hub has nothing newer.", nil
		}
		p.owner.Do(func() {
			p.owner.notice.Say(id+" has another revision on the Hub ("+commit[:min(12, len(commit))]+"). Your copy stays as it is until you download the new one.", "Download it", func() {
				p.owner.notice.Hide()
				p.owner.getUpdate(id)
			})
			p.owner.view.Refresh()
		})
		return "There is another revision on the Hub: " + commit + ".", nil
	})
}

// getUpdate downloads the newest revision of an installed model, in its form.
func (p *Panel) getUpdate(id string) {
	r := downloads.DownloadRequest{ID: id}
	for _, i := range p.installed {
		if i.ID == id && i.Format == "gguf" {
			for _, f := range i.Files {
				if strings.HasSuffix(f.Path, ".gguf") {
					r.Files = append(r.Files, f.Path)
				}
			}
		}
	}
	p.Work(func(ctx context.Context) {
		err := p.app.StartDownload(ctx, r)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.showDownloads()
			p.Watch()
		})
	})
}

func (p *modelPage) unload() {
	m := p.item.installed
	p.owner.Work(func(context.Context) {
		freed, err := p.owner.app.CloseModel(m.ID)
		p.owner.Do(func() {
			if err != nil {
				p.owner.ShowError(err)
			} else {
				p.owner.Tell(m.Name + " is no longer in memory, which frees about " + humanize.IBytes(uint64(max(0, freed))) + ".")
			}
			p.owner.reload()
		})
	})
}

// remove deletes the model; it can be put back.
func (p *modelPage) remove() {
	m := p.item.installed
	p.owner.Work(func(context.Context) {
		removed, err := p.owner.app.RemoveModel(m.ID)
		p.owner.Do(func() {
			if err != nil {
				p.owner.ShowError(err)
				return
			}
			p.owner.notice.Say("Deleted "+removed.ID+": "+humanize.Bytes(uint64(max(0, removed.Bytes)))+", which the trash keeps for 30 days.", "Undo", func() { p.owner.restore(removed) })
			p.owner.view.Refresh()
			p.owner.AnnounceModels()
		})
	})
}

func (p *Panel) restore(r downloads.Removed) {
	p.notice.Hide()
	p.Work(func(context.Context) {
		err := p.app.RestoreModel(r)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.Tell(r.ID + " is back.")
			p.AnnounceModels()
			p.goTo(r.ID)
		})
	})
}

func (p *Panel) emptyTrash() {
	p.notice.Hide()
	p.Work(func(context.Context) {
		freed, err := p.app.EmptyTrash()
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
			} else {
				p.Tell("The trash is empty, which freed " + humanize.Bytes(uint64(max(0, freed))) + ".")
			}
			p.reload()
		})
	})
}

// forgetIt takes a folder or file off the list.
func (p *modelPage) forgetIt() {
	p.owner.Forget(p.item.installed.Model, p.owner.ShowError)
}
