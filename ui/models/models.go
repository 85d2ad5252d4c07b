package models

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// The tabs of the panel.
const (
	tabInstalled = iota
	tabDiscover
	tabDownloads
	tabServers
)

var modelTabs = []string{"Installed", "Discover", "Downloads", "Servers"}

// Panel is the panel for models: those that are here, those that could be, and
// those on their way.
type Panel struct {
	panel.Host
	app  App
	uses []Use

	Followed func(list []downloads.Download)           // hears how far the downloads are
	SetToken func()                                    // leads to the field for the token of the Hub
	Arrived  func(id, name, button string, use func()) // hears of a download that ended well, and what the model can be used for

	view      *fyne.Container
	tabs      *kit.Segments
	memory    *kit.Line
	freeAll   *kit.Button // takes all models out of memory
	disk      *kit.Line
	offline   *fyne.Container // says so
	notice    *kit.Notice
	panes     *panel.Panes // the list, and the model in view
	filter    *modelFilter
	list      *kit.Rows
	none      *kit.Hint
	online    *kit.Button // asks the model store, where the catalogue has nothing
	page      *modelPage
	downloads *downloadList
	servers   *serverList

	entries    []library.CatalogueEntry
	installed  installedModels
	loaded     bool // installed has been read
	found      []downloads.Found
	query      string // that found answers
	searching  bool
	items      []shownItem
	best       []fit.Suggestion     // models of the catalogue that suit this computer; the first is recommended
	asked      bool                 // for them
	suggesting bool                 // and not answered yet
	pace       fit.Pace             // of this computer, for the rows
	onDisk     int64                // bytes that were free when the disk was asked last; 0: unknown
	free       int64                // memory that was free when the list was sorted; 0: unknown
	chosen     [tabDownloads]string // the model in view, by tab
	place      int                  // of the model in view, among those that are installed
	undos      []*undo              // put models back that went, the last one last
	wanted     string               // the installed model that is to be in view once it has been read; "": any
	typed      [tabDownloads]string // what was searched for, by tab
	shown      int                  // the tab in view
	adding     *fyne.Container
	bin        *kit.Button // leads to the deleted models
	deleted    *kit.Sheet  // lists them
	trash      []downloads.Removed
	watching   bool                 // downloads are being looked at again and again
	last       []downloads.Download // that were shown
	states     map[string]string    // of the downloads at the last look; nil: there was none
	coming     map[string]string    // what rows say of them, by repository
	landed     []string             // keys of those that ended since the installed models were read
	told       map[string]int64     // bytes that the Hub said a download has, by the key of a row
}

// Use is a panel that a model can be used in.
type Use struct {
	In   panel.Info
	Fits func(library.Model) (why string, ok bool)
	Open func(m library.Model)
}

func New(d panel.Host, a App, uses []Use, open func(path string)) *Panel {
	p := &Panel{Host: d, app: a, uses: uses, entries: a.Catalogue(), Followed: func([]downloads.Download) {}, SetToken: func() { d.GoTo(panel.Settings) }, Arrived: func(string, string, string, func()) {}}
	p.tabs = kit.NewSegments(d.Keys, modelTabs, func(int) { p.turn() })
	p.memory = kit.NewCaption("")
	p.memory.Align = fyne.TextAlignTrailing
	p.freeAll = kit.NewIconButton(d.Keys, theme.LogoutIcon(), "Take all models out of memory", p.unloadAll)
	p.freeAll.Hide()
	p.disk = kit.NewCaption("")
	p.notice = kit.NewNotice(d.Keys)
	p.filter = newModelFilter(d.Keys, newOrder(d.Keys, d.App.Settings().ModelOrder, p.sortBy), p.narrow, p.search, func() { p.panes.View.Refresh() })
	rows := rowsByView{}
	p.list = kit.NewRows(d.Keys, func() int { return len(p.items) }, rows.create, func(i int, o fyne.CanvasObject) { rows.fill(p.items[i], o) })
	p.list.Low, p.list.LowHeight = func(i int) bool { return p.items[i].low(p.list.Size().Width) }, lowRow()
	p.list.Selected, p.list.Field = p.choose, p.filter.text
	p.list.Clicked = p.open
	p.list.Opened = p.open
	p.list.Secondary = func(i int, at fyne.Position) {
		p.list.Pick(i)
		p.page.menu(at)
	}
	p.list.Typed = p.typedInList
	p.none = kit.NewHint(modelsIcon(kit.ColorMuted))
	p.online = kit.NewButton(d.Keys, "Search online", theme.SearchIcon(), p.search)
	p.none.Offer(p.online)
	p.page = newModelPage(d, a, uses, open, pageHost{
		installed: func() installedModels { return p.installed }, pace: func() fit.Pace { return p.pace }, goTo: p.goTo, showDownloads: p.showDownloads, setToken: func() { p.SetToken() }, told: p.noteSize,
		cancel: p.cancelDownload, doTo: func(d downloads.Download, action func(id, revision string) error) { p.downloads.do(d, action) },
		downloads: p.downloadsNow, watch: p.Watch, follow: p.follow, disk: func() int64 { return p.onDisk }, landing: p.isLanding, update: p.getUpdate, removed: p.tellRemoved, unlisted: p.tellUnlisted, reload: p.reload, showNotice: p.showNotice, fail: p.ShowError, name: p.nameOf, lookFor: p.lookFor,
	})
	p.downloads = newDownloadList(d, a, downloadsHost{
		watch: p.Watch, follow: p.follow, fail: p.ShowError, cancel: p.cancelDownload,
		use: func(id string) (string, func()) { return p.installed.use(id, p.uses) }, name: p.nameOf,
	})
	p.servers = newServerList(d, a, p.goTo)
	p.newBin()
	p.adding = container.New(&kit.Wrap{},
		kit.NewQuietButton(d.Keys, "Add a folder…", theme.FolderOpenIcon(), func() { p.Files().OpenFolder(p.add) }),
		kit.NewQuietButton(d.Keys, "Add a file…", theme.FileIcon(), func() { p.Files().OpenFile([]string{".safetensors", ".gguf"}, p.add) }),
		kit.NewQuietButton(d.Keys, "Add a server…", theme.ComputerIcon(), func() { p.tabs.Pick(tabServers) }),
		p.bin,
	)
	p.memory.Whole = true
	left := kit.Card(kit.Bordered(kit.Gap, p.filter.view, container.NewStack(p.list, p.none.View), kit.Column(kit.GapSmall, kit.NewTold(d.Keys, p.disk), p.adding)))
	p.panes = panel.NewPanes(d.Keys, left, kit.Card(p.page.view), [2]string{"List", "Model"})
	p.offline = container.NewBorder(nil, nil, nil, kit.NewQuietButton(d.Keys, "Open Settings", theme.SettingsIcon(), func() { d.GoTo(panel.Settings) }),
		kit.NewParagraph("Offline mode is on: nothing is searched online or downloaded.", kit.ColorMuted).Small().Flat)
	header := p.panes.Head(kit.Row(kit.GapWide, kit.NewTitleWhole("Models"), container.NewCenter(panel.Whole(p.tabs))), kit.Row(0, container.NewCenter(p.memory), p.freeAll))
	stage := container.NewStack(p.panes.View, p.downloads.view, p.servers.view)
	p.view = kit.Inset(kit.Bordered(10, header, kit.Bordered(kit.Gap, kit.Column(kit.GapSmall, p.offline, p.notice.View), stage, nil), nil), 12, kit.GapWide)
	p.turn()
	return p
}

// turn shows the tab that was chosen.
func (p *Panel) turn() {
	tab := p.tabs.Index
	if p.shown != tab {
		p.notice.HideError() // it was about the other tab
		p.free = p.app.FreeMemory()
		if p.shown < tabDownloads {
			p.typed[p.shown] = p.filter.text.Text
		}
		if tab == tabDiscover {
			p.panes.Front(panel.PaneWork) // where only one has room: what there is comes before what it is
		}
		if p.shown = tab; tab < tabDownloads {
			p.filter.text.SetText(p.typed[tab])
		}
	}
	p.panes.SetAside(tab >= tabDownloads)
	kit.Show(p.downloads.view, tab == tabDownloads)
	kit.Show(p.servers.view, tab == tabServers)
	kit.Show(p.adding, tab == tabInstalled)
	p.sayOffline()
	p.filter.forHub(tab == tabDiscover)
	p.showOrders()
	if tab == tabDiscover {
		p.recommend()
	}
	p.fill()
	if tab == tabDownloads {
		p.downloads.show(p.app.Downloads())
	}
	if tab == tabServers {
		p.servers.fill()
		p.servers.ask()
	}
	p.view.Refresh()
}

// reload reads what is installed, and shows the model that is wanted then.
func (p *Panel) reload() {
	id := p.wanted
	p.Work(func(ctx context.Context) {
		list, err := p.app.Library(ctx)
		trash, free := p.app.Trash(), p.app.FreeDisk()
		p.Do(func() {
			p.showTrash(trash)
			if err != nil {
				p.ShowError(err)
				return
			}
			p.installed, p.loaded, p.landed = list, true, nil
			if id != "" {
				p.chosen[tabInstalled], p.wanted = id, ""
			}
			p.showMemory()
			p.sayOffline()
			p.showDisk(free)
			p.showOrders()
			p.fill()
			p.downloads.show(p.app.Downloads()) // what has arrived can be used now
		})
	})
}

// showNotice shows a message in the panel, with an action.
func (p *Panel) showNotice(message, action string, act func()) {
	p.notice.Say(message, action, func() {
		p.notice.Hide()
		act()
	})
	p.view.Refresh()
}

// sayOffline says where models are found and downloaded that neither can be done now.
func (p *Panel) sayOffline() {
	before := p.offline.Visible()
	if kit.Show(p.offline, p.app.Offline() && (p.shown == tabDiscover || p.shown == tabDownloads)); p.offline.Visible() != before {
		p.view.Refresh() // no gap stays where it stood
	}
}

// showDisk shows what the models of the Hub take of the disk, and what is left of it.
func (p *Panel) showDisk(free int64) {
	p.onDisk = free
	taken := int64(0)
	for _, m := range p.installed {
		if m.Source == library.SourceHubCache {
			taken += m.Bytes
		}
	}
	text := "No downloads yet"
	if taken > 0 {
		text = "Downloads take " + humanize.Bytes(uint64(taken))
	}
	if taken == 0 && unfinished(p.app.Downloads()) > 0 {
		text = "The first download is on its way"
	}
	if free > 0 {
		text += " · " + humanize.Bytes(uint64(free)) + " of disk free"
	}
	p.disk.Set(text)
}

// choose shows the page of the model in row i.
func (p *Panel) choose(i int) {
	if i < 0 || i >= len(p.items) {
		p.page.clear(p.tabs.Index == tabDiscover)
		return
	}
	p.chosen[p.tabs.Index] = p.items[i].key()
	if p.tabs.Index == tabInstalled {
		p.place = i
	}
	p.page.show(p.items[i].modelItem)
}

// open shows the page of the model in row i, in the place of the list where there is no room
// for both.
func (p *Panel) open(i int) {
	p.list.Pick(i)
	p.panes.Front(panel.PaneResult)
}

// typedInList does with the model in view what a key is for; false: it is for nothing here.
func (p *Panel) typedInList(e *fyne.KeyEvent) bool {
	switch {
	case e.Name != "Menu" && e.Name != fyne.KeyDelete:
		return false
	case p.list.Current < 0:
	case e.Name == "Menu":
		p.page.menu(fyne.CurrentApp().Driver().AbsolutePositionForObject(p.page.view))
	default:
		p.page.discard()
	}
	return true
}

// add puts a file, or all models of a folder, on the list of models; nothing is copied.
func (p *Panel) add(path string) {
	p.Tell("Checking " + base.ShortPath(path) + "…")
	p.Work(func(ctx context.Context) {
		added, err := p.app.AddModels(ctx, path)
		p.Do(func() {
			switch len(added) {
			case 0:
				p.Tell("")
			case 1:
				p.Tell("Added " + added[0].Title() + ". It stays where it is.")
			default:
				p.Tell(kit.Count(len(added), "model") + " found and added. They stay where they are.")
			}
			if err != nil {
				p.ShowError(err)
			}
			if len(added) > 0 {
				p.goTo(added[0].ID)
				p.AnnounceModels()
			}
		})
	})
}

// Discover shows the models that could be here.
func (p *Panel) Discover() {
	p.filter.clear()
	p.tabs.Select(tabDiscover)
	p.turn()
	p.find()
}

// WritesIn is the field for the words of the filter.
func (p *Panel) WritesIn() fyne.Focusable { return p.filter.text }

// find gives the words of the filter the keyboard.
func (p *Panel) find() {
	p.panes.Front(panel.PaneWork)
	p.Focus(p.filter.text)
}

// goTo shows an installed model.
func (p *Panel) goTo(id string) {
	p.filter.clear()
	p.tabs.Select(tabInstalled)
	p.turn()
	p.wanted = id
	p.panes.Front(panel.PaneResult)
	p.reload()
}

// watchEvery is how often downloads are looked at while there are any under way.
const watchEvery = 250 * time.Millisecond

// Watch follows the downloads as long as one is under way.
func (p *Panel) Watch() {
	if p.watching {
		return
	}
	p.watching = true
	p.Work(func(ctx context.Context) {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		var newest atomic.Pointer[[]downloads.Download]
		var waits atomic.Bool // for the window: one that is busy gets the newest look, not every one
		for {
			list := p.app.Downloads()
			newest.Store(&list)
			if waits.CompareAndSwap(false, true) {
				p.Do(func() {
					waits.Store(false)
					p.follow(*newest.Load())
				})
			}
			if !underWay(list) {
				break
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		p.Do(func() {
			p.watching = false
			if underWay(p.app.Downloads()) { // one began since the last look
				p.Watch()
			}
		})
	})
}

// follow shows how far the downloads are, and says which ended since the last look. A
// small one may have come and ended in between; those of an earlier start are no news.
func (p *Panel) follow(list []downloads.Download) {
	p.last = list
	p.Followed(list)
	before := p.states
	p.states = map[string]string{}
	for _, d := range list {
		p.states[keyOf(d)] = d.State
	}
	for key, state := range before { // what is said to be under way has ended
		if id, _, _ := strings.Cut(key, "@"); p.states[key] == "" && state != downloads.DownloadDone {
			p.Tell("The download of " + p.nameOf(id) + " was cancelled.")
		}
	}
	for _, d := range list {
		if before == nil || before[keyOf(d)] == d.State {
			continue
		}
		switch d.State {
		case downloads.DownloadDone:
			p.Tell(p.nameOf(d.ID) + " is ready.")
			p.landed = append(p.landed, keyOf(d))
			p.AnnounceModels()
			p.announce(d.ID)
		case downloads.DownloadFailed:
			p.Tell(p.nameOf(d.ID) + " could not be downloaded. " + kit.Sentence(d.Why))
		}
	}
	p.downloads.show(list)
	p.markComing(list)
	name := modelTabs[tabDownloads]
	if n := unfinished(list); n > 0 {
		name += " " + humanize.Comma(int64(n))
	}
	p.tabs.Rename(tabDownloads, name)
	p.page.follow(list)
	p.showDisk(p.onDisk)
}

// downloadsNow are the downloads as every part of the room shows them: while they are followed, those
// of the last look.
func (p *Panel) downloadsNow() []downloads.Download {
	if p.watching {
		return p.last
	}
	return p.app.Downloads()
}

// noteSize has the row of a model say what the Hub said its download has, as its page does.
func (p *Panel) noteSize(key string, bytes int64) {
	if bytes <= 0 || p.told[key] == bytes {
		return
	}
	if p.told == nil {
		p.told = map[string]int64{}
	}
	p.told[key] = bytes
	for i, m := range p.items {
		if m.installed == nil && m.key() == key {
			m.told = bytes
			p.items[i] = measured(m)
		}
	}
	p.list.Refresh()
}

// announce tells the window of a model that has arrived, with what it can be used for.
func (p *Panel) announce(id string) {
	p.Work(func(ctx context.Context) {
		list, err := p.app.Library(ctx)
		p.Do(func() {
			if err == nil {
				button, use := installedModels(list).use(id, p.uses)
				p.Arrived(id, p.nameOf(id), button, use)
			}
		})
	})
}

// nameOf is how the catalogue calls a model of the Hub; others go by their id.
func (p *Panel) nameOf(id string) string {
	if e := p.catalogued(id); e != nil {
		return e.Name
	}
	return id
}

func underWay(list []downloads.Download) bool {
	for _, d := range list {
		switch d.State {
		case downloads.DownloadPaused, downloads.DownloadDone, downloads.DownloadFailed:
		default:
			return true
		}
	}
	return false
}

func unfinished(list []downloads.Download) (n int) {
	for _, d := range list {
		if d.State != downloads.DownloadDone {
			n++
		}
	}
	return n
}
