package ui

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

// The tabs of the room.
const (
	tabInstalled = iota
	tabDiscover
	tabDownloads
)

var modelTabs = []string{"Installed", "Discover", "Downloads"}

// modelsPanel is the room for models: those that are here, those that could be, and
// those on their way.
type modelsPanel struct {
	desk
	app      modelsApp
	uses     []modelUse
	openPath func(path string) // a folder, in the system's program for it

	view      *fyne.Container
	tabs      *segments
	memory    *line
	notice    *notice
	browse    *fyne.Container // list and page
	filter    *modelFilter
	list      *rows
	none      *hint
	page      *modelPage
	downloads *downloadList

	entries   []app.CatalogueEntry
	installed []app.Installed
	loaded    bool // installed has been read
	found     []app.Found
	query     string // that found answers
	searching bool
	items     []shownItem
	chosen    [tabDownloads]string // the model in view, by tab
	adding    *fyne.Container
	empty     *button // the trash
	watching  bool    // downloads are being looked at again and again
}

// modelUse is a panel that a model can be used in.
type modelUse struct {
	in   info
	fits func(app.Model) (why string, ok bool)
	open func(m app.Model)
}

func newModelsPanel(d desk, a modelsApp, uses []modelUse, open func(path string)) *modelsPanel {
	p := &modelsPanel{desk: d, app: a, uses: uses, openPath: open, entries: a.Catalogue()}
	p.tabs = newSegments(d.keys, modelTabs, func(int) { p.turn() })
	p.memory = newCaption("")
	p.memory.align = fyne.TextAlignTrailing
	p.notice = newNotice(d.keys)
	p.filter = newModelFilter(d.keys, p.narrow, p.search)
	p.list = newRows(d.keys, func() int { return len(p.items) }, newItemRow, func(i int, o fyne.CanvasObject) { fillItemRow(p.items[i], o) })
	p.list.selected = p.choose
	p.none = newHint(modelsIcon(colorMuted))
	p.page = newModelPage(p)
	p.downloads = newDownloadList(p)
	p.empty = quiet(d.keys, "", theme.DeleteIcon(), p.emptyTrash)
	p.empty.Hide()
	p.adding = container.New(&flowLayout{},
		quiet(d.keys, "Add a folder…", theme.FolderOpenIcon(), func() { p.files().openFolder(p.add) }),
		quiet(d.keys, "Add a file…", theme.FileIcon(), func() { p.files().openFile([]string{".safetensors", ".gguf"}, p.add) }),
		p.empty,
	)
	left := card(bordered(gap, p.filter.view, container.NewStack(p.list, p.none.view), p.adding))
	p.browse = container.New(&panesLayout{}, left, card(p.page.view))
	header := container.NewBorder(nil, nil, row(gapWide, newTitleWhole("Models"), container.NewCenter(p.tabs)), nil, inset(p.memory, 6, gapSmall))
	stage := container.NewStack(p.browse, p.downloads.view)
	p.view = inset(bordered(10, header, bordered(gap, p.notice.view, stage, nil), nil), 12, gapWide)
	p.turn()
	return p
}

// turn shows the tab that was chosen.
func (p *modelsPanel) turn() {
	tab := p.tabs.index
	show(p.browse, tab != tabDownloads)
	show(p.downloads.view, tab == tabDownloads)
	show(p.adding, tab == tabInstalled)
	p.filter.forHub(tab == tabDiscover)
	p.fill()
	if tab == tabDownloads {
		p.downloads.show(p.app.Downloads())
	}
	p.view.Refresh()
}

// reload reads what is installed.
func (p *modelsPanel) reload() { p.reloadWith("") }

// reloadWith is reload, and shows the model of that id then.
func (p *modelsPanel) reloadWith(id string) {
	p.work(func(ctx context.Context) {
		list, err := p.app.Library(ctx)
		trash := p.app.Trash()
		p.do(func() {
			p.showTrash(trash)
			if err != nil {
				p.showError(err)
				return
			}
			p.installed, p.loaded = list, true
			if id != "" {
				p.chosen[tabInstalled] = id
			}
			p.showMemory()
			p.fill()
		})
	})
}

// showTrash offers to empty the trash where there is something in it.
func (p *modelsPanel) showTrash(trash []app.Removed) {
	bytes := int64(0)
	for _, r := range trash {
		bytes += r.Bytes
	}
	p.empty.SetText("Empty the trash, frees " + humanize.Bytes(uint64(max(0, bytes))))
	show(p.empty, len(trash) > 0)
	p.browse.Refresh()
}

// showMemory says what models take now and what is left.
func (p *modelsPanel) showMemory() {
	parts, taken := []string{}, int64(0)
	open := p.app.OpenModels()
	for _, o := range open {
		taken += o.Bytes
	}
	if len(open) > 0 {
		parts = append(parts, count(len(open), "model")+" in memory, "+humanize.IBytes(uint64(taken)))
	}
	if free := p.app.FreeMemory(); free > 0 {
		parts = append(parts, humanize.IBytes(uint64(free))+" of memory free")
	}
	if p.app.Offline() {
		parts = append(parts, "offline")
	}
	p.memory.set(strings.Join(parts, " · "))
}

// choose shows the page of the model in row i.
func (p *modelsPanel) choose(i int) {
	if i < 0 || i >= len(p.items) {
		p.page.clear()
		return
	}
	p.chosen[p.tabs.index] = p.items[i].key()
	p.page.show(p.items[i].modelItem)
}

// add puts a folder or file on the list of models; nothing is copied.
func (p *modelsPanel) add(path string) {
	p.tell("Looking at " + app.ShortPath(path) + "…")
	p.work(func(ctx context.Context) {
		m, err := p.common.AddModel(ctx, path)
		p.do(func() {
			if err != nil {
				p.tell("")
				p.showError(err)
				return
			}
			p.tell("Added " + m.Name + ". It stays where it is.")
			p.goTo(m.ID)
		})
	})
}

// goTo shows an installed model.
func (p *modelsPanel) goTo(id string) {
	p.filter.clear()
	p.tabs.show(tabInstalled)
	p.turn()
	p.reloadWith(id)
}

// watchEvery is how often downloads are looked at while there are any under way.
const watchEvery = 250 * time.Millisecond

// watch follows the downloads as long as one is under way.
func (p *modelsPanel) watch() {
	if p.watching {
		return
	}
	p.watching = true
	p.work(func(ctx context.Context) {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		before := map[string]string{}
		for {
			list := p.app.Downloads()
			p.do(func() { p.follow(list, before) })
			if !underWay(list) {
				break
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		p.do(func() { p.watching = false })
	})
}

// follow shows how far the downloads are; before holds their states at the last look.
func (p *modelsPanel) follow(list []app.Download, before map[string]string) {
	for _, d := range list {
		key := d.ID + "@" + d.Revision
		was, known := before[key]
		before[key] = d.State
		if !known || was == d.State {
			continue
		}
		switch d.State {
		case app.DownloadDone:
			p.tell(d.ID + " is here, whole and verified.")
			p.reload()
		case app.DownloadFailed:
			p.tell(d.ID + " could not be downloaded. " + sentence(d.Why))
		}
	}
	p.downloads.show(list)
	name := modelTabs[tabDownloads]
	if n := unfinished(list); n > 0 {
		name += " " + humanize.Comma(int64(n))
	}
	p.tabs.rename(tabDownloads, name)
	p.page.follow(list)
}

func underWay(list []app.Download) bool {
	for _, d := range list {
		switch d.State {
		case app.DownloadPaused, app.DownloadDone, app.DownloadFailed:
		default:
			return true
		}
	}
	return false
}

func unfinished(list []app.Download) (n int) {
	for _, d := range list {
		if d.State != app.DownloadDone {
			n++
		}
	}
	return n
}
