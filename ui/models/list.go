package models

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// modelItem is a row of the list: a model that is installed, or one of the
// catalogue, or one that the Hub found.
type modelItem struct {
	installed *pool.Installed
	entry     *library.CatalogueEntry // also of the others, where it is of the catalogue
	found     *downloads.Found
	told      int64 // bytes that would be downloaded, as the Hub said; 0: it was not asked
}

// bytes is what would be downloaded of a model that is not here: as the Hub said where it was asked,
// else as the list has it.
func (m modelItem) bytes() int64 {
	switch {
	case m.told > 0:
		return m.told
	case m.found != nil:
		return m.found.Bytes
	}
	return m.entry.Downloads[0].Bytes
}

// key names the model of a row.
func (m modelItem) key() string {
	switch {
	case m.installed != nil:
		return m.installed.ID
	case m.found != nil:
		return m.found.ID
	}
	return m.entry.ID
}

func (m modelItem) name() string {
	switch {
	case m.installed != nil:
		return m.installed.Title()
	case m.entry != nil:
		return m.entry.Name
	}
	return m.found.ID
}

// taskName is what a task or kind is called here.
func taskName(task string) string {
	switch task {
	case library.KindChat, "text-generation":
		return "Chat"
	case library.KindText:
		return "Continuing texts"
	case library.KindTask, "text2text-generation":
		return "Text to text"
	case library.KindEmbedding, "sentence-similarity", "feature-extraction":
		return "Comparing texts"
	case library.KindReranker, "text-ranking":
		return "Ranking texts"
	case library.KindEncoder, "fill-mask":
		return "Filling gaps"
	}
	return ""
}

// detail is the line below the name.
func (m modelItem) detail() (text string, color fyne.ThemeColorName) {
	var parts []string
	put := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	switch {
	case m.installed != nil:
		i := m.installed
		if !i.Usable {
			return kit.Sentence(i.Reason), theme.ColorNameWarning
		}
		put(m.purpose())
		if i.Leaves != "" {
			put("texts leave this computer")
		}
		if !i.Elsewhere() {
			put(bytesText(i.Bytes))
		}
	case m.found != nil:
		f := m.found
		put(cmp.Or(taskName(f.Task), strings.ReplaceAll(f.Task, "-", " ")))
		put(bytesText(m.bytes()))
		put(f.Licence)
		if f.Downloads > 0 {
			put(kit.ShortNumber(float64(f.Downloads)) + " downloads")
		}
	default:
		put(m.entry.Use)
	}
	return strings.Join(parts, " · "), kit.ColorMuted
}

// shortParameters writes a number of parameters in a few characters: "1.1 B".
func shortParameters(n int64) string {
	if n <= 0 {
		return ""
	}
	return strings.Replace(strings.TrimSuffix(kit.Parameters(n), " parameters"), ".0 ", " ", 1)
}

// mark is what stands at the right of the name.
func (m shownItem) mark() string {
	switch {
	case m.installed != nil && len(m.installed.Open) > 0:
		return "in memory"
	case m.installed != nil:
		return panel.SourceInWords(m.installed.Source)
	case m.here:
		return "installed"
	}
	var parts []string
	if m.found == nil {
		parts = append(parts, bytesText(m.bytes()))
	}
	switch {
	case m.coming != "":
		parts = append(parts, m.coming)
	case m.large:
		parts = append(parts, "too large")
	case m.full:
		parts = append(parts, "disk too full")
	case m.advice != "":
		parts = append(parts, m.advice)
	case m.found != nil && m.found.Gated || m.entry != nil && m.entry.Gated:
		parts = append(parts, "terms")
	case m.slow:
		parts = append(parts, "slow here")
	case m.fits:
		parts = append(parts, "fits in memory")
	}
	return strings.Join(parts, " · ")
}

// shownItem is a row in view.
type shownItem struct {
	modelItem
	here   bool   // it is installed
	large  bool   // for the free memory
	full   bool   // the disk is, for its download
	fits   bool   // the free memory, as far as is known
	slow   bool   // people would wait for its words
	coming string // how far its download is; "": there is none
	advice string // in a word, where it is one of the models for this computer

	// What its row shows, and how wide that is: the sentence in one line, alone and behind what
	// stands beside the name; the name and that.
	title, beside, sentence string
	color                   fyne.ThemeColorName
	wide, wideBoth, wideTop float32
}

// adviceOn is what a row says of a model of the catalogue that suits this computer: one is
// recommended, as on the card for a first model; the others are beside it.
func (p *Panel) adviceOn(e *library.CatalogueEntry) string {
	if e == nil {
		return ""
	}
	i := slices.IndexFunc(p.best, func(s fit.Suggestion) bool { return s.Model.ID == e.ID })
	switch {
	case i < 0:
		return ""
	case i == 0:
		return "recommended"
	case p.best[i].Download.Bytes < p.best[0].Download.Bytes:
		return "quicker"
	}
	return "knows more"
}

// fill lists what belongs to the tab and passes the filter, and keeps the chosen one.
func (p *Panel) fill() {
	p.items = nil
	switch {
	case p.tabs.Index == tabInstalled:
		for _, i := range p.installed.ordered(p.filter.order()) {
			p.offer(modelItem{installed: &p.installed[i], entry: p.catalogued(p.installed[i].ID)})
		}
	case !p.suggesting:
		for _, m := range p.sorted() {
			p.offer(m)
		}
		p.offerFound()
	}
	p.list.Current = -1
	p.sayEmpty()
	p.sayHits()
	if p.tabs.Index >= tabDownloads {
		return
	}
	at := slices.IndexFunc(p.items, func(m shownItem) bool { return m.key() == p.chosen[p.tabs.Index] })
	if at < 0 && len(p.items) > 0 && p.tabs.Index == tabInstalled {
		if p.filter.text.Text == "" { // the chosen one is gone: its neighbour takes its place
			at = p.place
		}
		at = min(max(0, at), len(p.items)-1)
	}
	if at < 0 && len(p.items) > 0 && p.tabs.Index == tabDiscover && p.filter.aim.aim == &reranking {
		at = 0 // another room leads to these: the first is shown at once
	}
	p.list.Choose(at)
	p.list.Refresh()
	p.choose(at)
}

// sayHits says how many of the models pass, once they are known. What the model store found has a
// number of its own.
func (p *Panel) sayHits() {
	of := len(p.entries)
	switch {
	case p.tabs.Index == tabInstalled:
		of = len(p.installed)
	case p.suggesting:
		return
	case p.query != "" && p.query == p.filter.text.Text: // those of the model store are on the list as well
		of = len(p.items)
	}
	p.filter.sayHits(len(p.items), of)
}

// sorted returns the models of the catalogue in the order that a person chose: by the size of what would be
// downloaded, or by how well they suit. Then those that name what is looked for come first. Those that are
// recommended for this computer follow, and then the others that fit and are quick. Those that are slow here,
// and those that are too large for it, are the last.
func (p *Panel) sorted() []modelItem {
	list := make([]modelItem, len(p.entries))
	for i := range p.entries {
		list[i].entry = &p.entries[i]
	}
	bytes := func(m modelItem) int64 { return m.entry.Downloads[0].Bytes }
	rank := func(m modelItem) int {
		named := m.entry.Names(p.filter.text.Text)
		best := slices.IndexFunc(p.best, func(s fit.Suggestion) bool { return s.Model.ID == m.entry.ID })
		switch {
		case best >= 0 && !named:
			return best
		case tooLarge(m, p.free):
			return len(p.best) + 2
		case p.isSlow(m):
			return len(p.best) + 1
		case named: // it says itself that it is for that
			return -1
		}
		return len(p.best)
	}
	ranks := make(map[*library.CatalogueEntry]int, len(list))
	for _, m := range list {
		ranks[m.entry] = rank(m)
	}
	slices.SortStableFunc(list, func(a, b modelItem) int {
		switch p.filter.sorts.SelectedIndex() {
		case sortSmallest:
			return cmp.Compare(bytes(a), bytes(b))
		case sortLargest:
			return cmp.Compare(bytes(b), bytes(a))
		}
		return cmp.Compare(ranks[a.entry], ranks[b.entry])
	})
	return list
}

// offerFound lists what the Hub found for the words of the filter. A model of the catalogue
// stands on the list once, whatever repositories of it were found.
func (p *Panel) offerFound() {
	if p.query != p.filter.text.Text {
		return
	}
	for i := range p.found {
		e := p.catalogued(p.found[i].ID)
		if e == nil || !slices.ContainsFunc(p.items, func(m shownItem) bool { return m.entry == e }) {
			p.offer(modelItem{found: &p.found[i], entry: e})
		}
	}
}

// recommend asks once which models suit this computer. They are listed first, so until they
// are known none is: no row moves away under the pointer.
func (p *Panel) recommend() {
	if p.asked {
		return
	}
	p.asked, p.suggesting = true, true
	p.Work(func(ctx context.Context) {
		list, err := p.app.Suggest(ctx)
		p.Do(func() {
			p.suggesting = false
			if err != nil {
				p.App.Log().Warn("nothing is recommended", slog.Any("error", err))
			}
			p.best = list
			if len(list) > 0 {
				p.pace = list[0].Pace
			}
			p.fill()
		})
	})
}

// narrow follows a change of the filter.
func (p *Panel) narrow() {
	p.free = p.app.FreeMemory()
	p.fill()
	if p.tabs.Index == tabDiscover { // what fits best now stands there
		p.list.ToTop()
	}
}

// isSlow reports whether people would wait for a model's words here.
func (p *Panel) isSlow(m modelItem) bool {
	return m.installed == nil && m.entry != nil && fit.Slow(p.pace.TokensPerS(*m.entry))
}

// offer puts a model on the list where it passes the filter.
func (p *Panel) offer(m modelItem) {
	free := p.free
	m.told = p.told[m.key()]
	if p.filter.takes(m, free) {
		here := p.installed.has(m.key()) || m.entry != nil && p.isHereAsEntry(*m.entry)
		large := m.installed == nil && tooLarge(m, free)
		full := m.installed == nil && panel.DiskTooSmall(m.bytes(), p.onDisk) != ""
		fits := m.installed == nil && !large && free > 0 && factsOf(m).bytes > 0
		p.items = append(p.items, measured(shownItem{modelItem: m, here: here, large: large, full: full, fits: fits, slow: p.isSlow(m), advice: p.adviceOn(m.entry), coming: m.comingIn(p.coming)}))
	}
}

// tooLarge reports whether a model's smallest form needs more than the free memory,
// with some room around the weights. Unknown sizes and unknown memory are not too large.
func tooLarge(m modelItem, free int64) bool {
	bytes := factsOf(m).bytes
	return free > 0 && bytes > free*4/5
}

// isHereAsEntry reports whether a model of the catalogue is installed in any form.
func (p *Panel) isHereAsEntry(e library.CatalogueEntry) bool {
	return slices.ContainsFunc(e.Downloads, func(d library.CatalogueDownload) bool {
		_, here := p.installed.copyOf(d.Repo, e.Architecture, fileOf(d)...)
		return here
	})
}

// fileOf is the file of a way to get a model, where it is one file.
func fileOf(d library.CatalogueDownload) []string {
	if d.File == "" {
		return nil
	}
	return []string{d.File}
}

// catalogued is the entry of a Hub id; nil: there is none.
func (p *Panel) catalogued(id string) *library.CatalogueEntry {
	for i, e := range p.entries {
		if strings.EqualFold(e.ID, id) || slices.ContainsFunc(e.Downloads, func(d library.CatalogueDownload) bool { return strings.EqualFold(d.Repo, id) }) {
			return &p.entries[i]
		}
	}
	return nil
}

// sayEmpty shows why the list is empty.
func (p *Panel) sayEmpty() {
	p.none.View.Hide()
	kit.Show(p.online, false)
	p.filter.sayAnswer(p.storeAnswer())
	switch {
	case len(p.items) > 0:
	case p.tabs.Index == tabDiscover && p.suggesting:
		p.none.Say("One moment", "Looking at what this computer can run…")
	case p.searching:
		p.none.Say("Searching", "Asking the model store for “"+kit.Brief(p.filter.text.Text)+"”…")
	case p.tabs.Index == tabInstalled && !p.loaded:
		p.none.Say("One moment", "Looking at the models on this computer…")
	case p.tabs.Index == tabInstalled && p.filter.text.Text != "":
		p.none.Say("Nothing found", "No installed model has these words in its name.")
	case p.tabs.Index == tabDiscover && p.query == p.filter.text.Text && p.query != "":
		p.none.Say("Nothing found", "No model was found in the catalogue or in the model store. Try fewer words or other filters.")
	case p.tabs.Index == tabDiscover && p.app.Offline():
		p.none.Say("Not in the catalogue", "Only the catalogue that comes with Inglenook was searched, because offline mode is on.")
	case p.tabs.Index == tabDiscover && p.filter.text.Text == "":
		p.none.Say("Nothing passes the filters", "Choose fewer filters, or type what you look for.")
	case p.tabs.Index == tabDiscover:
		kit.Show(p.online, true)
		p.none.Say("Not in the catalogue", "The catalogue that comes with Inglenook has no such model. The model store may have one: Hugging Face, a public library with very many.")
	}
}

// storeAnswer says what the model store has for the words of the filter; "": it was not asked.
func (p *Panel) storeAnswer() string {
	if p.tabs.Index != tabDiscover || p.query == "" || p.query != p.filter.text.Text {
		return ""
	}
	switch {
	case len(p.found) == 0 && len(p.items) > 0:
		return "The model store has no further model for “" + kit.Brief(p.query) + "”."
	case len(p.found) == 0:
		return "The model store has no model for “" + kit.Brief(p.query) + "”."
	}
	return "The model store has " + kit.Count(len(p.found), "model") + " for “" + kit.Brief(p.query) + "”."
}

// What is said where the Hub does not answer, of a search and of a model; the log has the whole error.
const (
	noConnection = "No connection to the model store, so only the catalogue was searched. Check your internet connection."
	notAsked     = "No connection to the model store, so nothing more is known of this model yet. Check your internet connection."
	notAgain     = "No connection to the model store now, so this is as it was checked before. Check your internet connection."
)

// search asks the Hub for what was typed.
func (p *Panel) search() {
	asked := p.filter.text.Text
	text := strings.TrimSpace(asked)
	if p.tabs.Index != tabDiscover || text == "" {
		return
	}
	r := downloads.SearchRequest{Text: text, Task: p.filter.task(), Format: p.filter.format()}
	p.searching, p.found, p.query = true, nil, ""
	p.filter.busy(true)
	p.fill()
	p.Work(func(ctx context.Context) {
		list, err := p.app.SearchHub(ctx, r)
		p.Do(func() {
			p.searching = false
			p.filter.busy(false)
			switch {
			case downloads.Unreachable(err):
				p.App.Log().Warn("models", slog.Any("error", err))
				if p.tabs.Index == tabDiscover {
					p.notice.FailWith(noConnection, "Try again", p.search)
				} else {
					p.Tell(noConnection)
				}
			case err != nil:
				p.ShowError(err)
			default:
				p.notice.Hide()
				p.found, p.query = list, asked
				p.Tell(p.storeAnswer())
			}
			p.fill()
			p.view.Refresh()
		})
	})
}
