package models

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
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
	k := p.Keys
	form := p.forms[p.form]
	_, known := p.variant()
	if id, here := p.here(); here {
		var list []fyne.CanvasObject
		if name, use := p.host.installed().use(id, p.uses); name != "" {
			first := kit.NewButton(k, name, theme.NavigateNextIcon(), use)
			first.Importance = widget.HighImportance
			list = append(list, first)
		}
		return append(list, kit.NewQuietButton(k, "Show in Installed", theme.FolderIcon(), func() { p.host.goTo(id) }))
	}
	d, ok := downloadOf(p.host.downloads(), form.repo)
	p.brief = panel.DownloadBrief(d)
	if p.loads = ok && d.State != downloads.DownloadDone; p.loads {
		list := []fyne.CanvasObject{kit.NewButton(k, p.brief, theme.DownloadIcon(), p.host.showDownloads)}
		switch d.State {
		case downloads.DownloadWaiting:
			list = append(list, kit.NewQuietButton(k, "Try now", theme.ViewRefreshIcon(), func() {
				p.host.doTo(d, func(id, revision string) error { return panel.TryNow(p.app, id, revision) })
			}))
		case downloads.DownloadPaused, downloads.DownloadFailed:
			list = append(list, kit.NewQuietButton(k, "Resume", theme.MediaPlayIcon(), func() { p.host.doTo(d, p.app.ResumeDownload) }))
		default:
			list = append(list, kit.NewQuietButton(k, "Pause", theme.MediaPauseIcon(), func() { p.host.doTo(d, p.app.PauseDownload) }))
		}
		return append(list, kit.NewQuietButton(k, "Cancel", theme.CancelIcon(), func() { p.host.cancel(d) }))
	}
	if ok && p.host.landing(d) { // it is not offered again for a moment
		landed := kit.NewButton(k, "One moment…", theme.DownloadIcon(), nil)
		landed.SetEnabled(false)
		return []fyne.CanvasObject{landed}
	}
	label := "Download"
	if known && !p.runsSomewhere() {
		label += " anyway"
	}
	if form.bytes > 0 {
		label += " " + humanize.Bytes(uint64(form.bytes))
	}
	get := kit.NewButton(k, label, theme.DownloadIcon(), p.download)
	if v, ok := p.variant(); p.runsSomewhere() && ok && panel.DiskTooSmall(v.Bytes, p.disk) == "" {
		get.Importance = widget.HighImportance
	}
	get.SetEnabled((known || p.early()) && !p.app.Offline())
	list := []fyne.CanvasObject{get}
	if address := p.address(form.repo); address != nil {
		list = append(list, kit.NewQuietButton(k, "Open its page", theme.ComputerIcon(), func() { p.Browse(address) }))
	}
	if p.gated() {
		list = append(list, kit.NewQuietButton(k, "Set a token…", theme.LoginIcon(), func() { p.host.setToken() }))
	}
	if p.failed != "" && !p.app.Offline() && p.asking == "" {
		list = append(list, kit.NewButton(k, "Try again", theme.ViewRefreshIcon(), func() { p.ask(); p.draw() }))
	}
	return list
}

// action is something that can be done with an installed model.
type action struct {
	name string
	icon fyne.Resource
	run  func()
	main bool   // what the model is for
	rare bool   // few people want it: it is in the menu beside the buttons
	off  string // why it cannot be done now; "": it can
}

// installedButtons are the actions of a model as buttons, of which the first room that uses it is the one in
// colour: that is where most people go next.
func (p *modelPage) installedButtons(m pool.Installed) []fyne.CanvasObject {
	var list []fyne.CanvasObject
	var rare []*fyne.MenuItem
	for i, a := range p.actions(m) {
		if a.rare {
			rare = append(rare, fyne.NewMenuItem(a.name, a.run))
			continue
		}
		b := kit.NewQuietButton(p.Keys, a.name, a.icon, a.run)
		switch {
		case a.main && i == 0:
			b.Importance = widget.HighImportance
		case a.main:
			b.Importance = widget.MediumImportance
		}
		b.SetEnabled(a.off == "")
		list = append(list, b)
	}
	if len(rare) > 0 {
		more := kit.NewIconButton(p.Keys, theme.MoreVerticalIcon(), "What else can be done with this model", nil)
		more.OnTapped = func() { kit.ShowMenuBelow(p.Keys, more, func() []*fyne.MenuItem { return rare }, 0) }
		list = append(list, more)
	}
	return list
}

// actions are what can be done with an installed model; what cannot be taken back is last.
func (p *modelPage) actions(m pool.Installed) []action {
	var list []action
	put := func(name string, icon fyne.Resource, run func()) {
		list = append(list, action{name: name, icon: icon, run: run})
	}
	seldom := func(name string, icon fyne.Resource, run func()) {
		list = append(list, action{name: name, icon: icon, run: run, rare: true})
	}
	if m.Usable {
		for _, use := range p.uses {
			if _, ok := use.Fits(m.Model); ok {
				list = append(list, action{name: "Use in " + use.In.Name, icon: use.In.Icon(theme.ColorNameForeground), run: func() { use.Open(m.Model) }, main: true})
			}
		}
	}
	if len(m.Open) > 0 {
		put("Unload", theme.LogoutIcon(), p.unload)
	}
	if slices.ContainsFunc(m.Files, func(f library.ModelFile) bool { return f.Path == "README.md" }) {
		put("Read its card", theme.DocumentIcon(), p.readCard)
	}
	if address := p.address(m.ID); m.Source == library.SourceHubCache && address != nil {
		put("Open its page", theme.ComputerIcon(), func() { p.Browse(address) })
	}
	if m.Source == library.SourceHubCache {
		seldom("Verify", theme.ConfirmIcon(), p.verify)
		if !p.app.Offline() && m.ID != m.Path {
			seldom("Look for an update", theme.ViewRefreshIcon(), p.lookForUpdate)
		}
	}
	if m.Path != "" {
		seldom("Open folder", theme.FolderOpenIcon(), func() { p.openPath(folderOf(m.Model)) })
	}
	switch m.Source {
	case library.SourceHubCache:
		label := "Delete, " + humanize.Bytes(uint64(max(0, m.Bytes)))
		if m.ID == m.Path {
			label = "Delete all its forms"
		}
		put(label, theme.DeleteIcon(), p.remove)
		if slices.ContainsFunc(m.Open, func(o pool.OpenModel) bool { return o.InUse }) {
			list[len(list)-1].off = "It is in use."
		}
	case library.SourceFolder, library.SourceFile:
		put("Remove from list", theme.ContentRemoveIcon(), p.forgetIt)
	}
	return list
}

// menu offers the actions of the model in view at a place of the window.
func (p *modelPage) menu(at fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	if c == nil || p.item == nil {
		return
	}
	var items []*fyne.MenuItem
	if m := p.item.installed; m != nil {
		for _, a := range p.actions(*m) {
			item := fyne.NewMenuItem(a.name, a.run)
			item.Disabled = a.off != ""
			items = append(items, item)
		}
	} else if address := p.address(p.forms[p.form].repo); address != nil {
		items = append(items, fyne.NewMenuItem("Open its page", func() { p.Browse(address) }))
	}
	if len(items) == 0 {
		return
	}
	kit.ShowMenu(p.Keys, c, items, at, 0)
}

// address is the page of a repository of the Hub; nil: it has none.
func (p *modelPage) address(repository string) *url.URL {
	if repository == "" || filepath.IsAbs(repository) {
		return nil
	}
	u, err := url.Parse(strings.TrimRight(cmp.Or(p.App.Settings().Network.Endpoint, base.UsualEndpoint()), "/") + "/" + repository)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return u
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

// download puts the form in view in line.
func (p *modelPage) download() {
	r, ok := p.wanted()
	if !ok {
		return
	}
	p.Work(func(ctx context.Context) {
		err := p.app.StartDownload(ctx, r)
		list := p.app.Downloads()
		p.Do(func() {
			if err != nil {
				p.host.fail(err)
				return
			}
			p.Tell("Downloading " + p.host.name(r.ID) + ".")
			p.host.follow(list)
			p.draw()
			p.host.watch()
		})
	})
}

// follow keeps the button of a download under way up to date.
func (p *modelPage) follow(list []downloads.Download) {
	if p.item == nil || p.item.installed != nil {
		return
	}
	d, ok := downloadOf(list, p.forms[p.form].repo)
	if ok && panel.DownloadBrief(d) != p.brief || !ok && p.loads {
		p.finding = ""
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

// finding is what work on a model found out.
type finding struct {
	text string
	then func() // runs once the page is free for other work; may be nil
}

// lately runs work on the model in view with progress; what it finds is shown on the page.
func (p *modelPage) lately(stage string, work func(ctx context.Context, report func(base.Progress)) (finding, error)) {
	if p.running != nil {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
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
		p.Do(func() {
			if s.Total > 0 {
				p.Bar.Set(float64(s.Done) / float64(s.Total))
			}
			if s.Left >= time.Second {
				p.Left.Set(kit.Left(s.Left))
			}
		})
	}
	p.Work(func(context.Context) {
		found, err := work(ctx, report)
		cancel()
		p.Do(func() {
			p.running = nil
			p.Progress.Hide()
			p.view.Refresh()
			switch {
			case errors.Is(err, context.Canceled):
				p.Tell("Cancelled.")
			case err != nil:
				p.host.fail(err)
			case p.item != nil && p.item.key() == key:
				p.finding = found.text
				p.draw()
			}
			if err == nil && found.then != nil {
				found.then()
			}
		})
	})
}

// verify hashes all files of the model; what is not right can be repaired.
func (p *modelPage) verify() {
	id := p.item.key()
	p.lately("Checking every file…", func(ctx context.Context, report func(base.Progress)) (finding, error) {
		v, err := p.app.VerifyModel(ctx, id, report)
		if err != nil || len(v.Bad) == 0 {
			return finding{text: verifiedText(v)}, err
		}
		return finding{damageText(v), func() {
			p.host.showNotice(damageText(v), "Repair", func() { p.repair(id) })
		}}, nil
	})
}

func verifiedText(v downloads.Verification) string {
	return "Verified: " + kit.Count(v.Files, "file") + ", " + humanize.Bytes(uint64(v.Bytes)) + ", all as the model store has them."
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
	p.lately("Fetching what is damaged…", func(ctx context.Context, report func(base.Progress)) (finding, error) {
		v, err := p.app.RepairModel(ctx, id, report)
		if err == nil && len(v.Bad) > 0 {
			return finding{text: damageText(v)}, nil
		}
		return finding{text: "Repaired. " + verifiedText(v)}, err
	})
}

// lookForUpdate asks the model store for another commit. The model that is here stays as it is.
func (p *modelPage) lookForUpdate() {
	id := p.item.key()
	p.lately("Asking the model store…", func(ctx context.Context, _ func(base.Progress)) (finding, error) {
		commit, err := p.app.UpdateOf(ctx, id)
		if err != nil {
			return finding{}, err
		}
		if commit == "" {
			return finding{text: "The model store has nothing newer."}, nil
		}
		return finding{"There is a newer version in the model store: " + commit + ".", func() {
			p.host.showNotice(p.host.name(id)+" has a newer version in the model store ("+commit[:min(12, len(commit))]+"). Your copy stays as it is until you download the new one.", "Download it", func() { p.host.update(id) })
		}}, nil
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
	p.Work(func(context.Context) {
		freed, err := p.app.CloseModel(m.ID)
		p.Do(func() {
			if err != nil {
				p.host.fail(err)
			} else {
				p.Tell(m.Title() + " is no longer in memory, which frees about " + humanize.Bytes(uint64(max(0, freed))) + ".")
			}
			p.host.reload()
		})
	})
}

// remove deletes the model; it can be put back.
func (p *modelPage) remove() {
	m := p.item.installed
	if d, ok := downloadOf(p.app.Downloads(), m.ID); ok && d.State != downloads.DownloadDone {
		p.host.showNotice(m.Title()+" is not deleted, because a part of it is still being downloaded. Cancel the download first.", "Show the download", p.host.showDownloads)
		return
	}
	p.Work(func(context.Context) {
		removed, err := p.app.RemoveModel(m.ID)
		p.Do(func() {
			if err != nil {
				p.host.fail(err)
				return
			}
			p.host.removed(removed)
			p.AnnounceModels()
		})
	})
}

// discard is what the Delete key does with the model in view: what can be taken back at once.
func (p *modelPage) discard() {
	m := p.item.installed
	switch {
	case m == nil: // it is not here
	case m.Source == library.SourceHubCache && slices.ContainsFunc(m.Open, func(o pool.OpenModel) bool { return o.InUse }):
		p.Tell(m.Title() + " is in use, so it is not deleted. Stop what it does first.")
	case m.Source == library.SourceHubCache:
		p.remove()
	case m.Source == library.SourceFolder, m.Source == library.SourceFile:
		p.forgetIt()
	case m.Elsewhere():
		p.Tell(m.Title() + " is on a server. Remove the server under Servers to take its models off the list.")
	default:
		p.Tell(m.Title() + " comes with Inglenook and cannot be deleted.")
	}
}

// tellRemoved says that a model was deleted, and offers to undo that.
func (p *Panel) tellRemoved(r downloads.Removed) {
	p.undos = append(p.undos, &undo{do: func() { p.restore(r) }, of: &r})
	p.showNotice("Deleted "+p.nameOf(r.ID)+": "+humanize.Bytes(uint64(max(0, r.Bytes)))+", which can be put back for 30 days.", "Undo", p.undo)
}

// tellUnlisted says above the list, where it covers nothing, that a model went off it.
func (p *Panel) tellUnlisted(said string, back func()) {
	p.undos = append(p.undos, &undo{do: func() {
		p.notice.Hide()
		back()
	}})
	p.showNotice(said, "Undo", p.undo)
}

// undo puts the model back that went last.
func (p *Panel) undo() {
	last := len(p.undos) - 1
	if last < 0 {
		p.Tell("There is nothing to undo.")
		return
	}
	back := p.undos[last]
	p.undos = p.undos[:last]
	back.do()
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
			p.forgetUndo(r)
			p.Tell(p.nameOf(r.ID) + " is back.")
			p.goTo(r.ID)
			p.AnnounceModels()
		})
	})
}

// forgetIt removes a folder or file from the list; it can be put back.
func (p *modelPage) forgetIt() {
	p.ForgetThen(p.item.installed.Model, p.host.fail, p.host.unlisted)
}
