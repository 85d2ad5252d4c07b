package models

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// modelFilter is the column of the filter: what is typed, and below it what narrows the list, on demand.
type modelFilter struct {
	view     *fyne.Container
	text     *kit.Entry
	ask      *kit.Button
	more     *fyne.Container // what is for searching
	aim      *aimChip
	answer   *kit.Line // of the model store
	hits     *kit.Line // how many models pass
	reset    *kit.TextButton
	count    *fyne.Container // with both, where something is left out
	fold     *kit.Button     // shows the choices or hides them
	choices  *fyne.Container
	tasks    *kit.Choice
	formats  *kit.Choice
	sizes    *kit.Choice
	licences *kit.Choice
	fits     *kit.Check
	sorts    *kit.Choice
	orders   *kit.Choice // of the installed models
	changed  func()      // another model may pass
	refold   func()      // the filter has another height
}

// What the filters offer; the first takes everything.
var (
	filterTasks    = []string{"Any task", "Chat", "Comparing texts", "Ranking texts", "Filling gaps", "Continuing texts", "Text to text"}
	filterFormats  = []string{"Any format", "safetensors", "GGUF"}
	filterSizes    = []string{"Any size", "≤ 500 MB", "≤ 2 GB", "≤ 5 GB"}
	filterLicences = []string{"Any licence", "Apache or MIT", "License terms"}
	sizeLimits     = []int64{0, 500e6, 2e9, 5e9}
	filterSorts    = []string{"Best for this computer first", "Smallest first", "Largest first"}
)

// The places in filterSorts, after the first.
const (
	sortSmallest = iota + 1
	sortLargest
)

func newModelFilter(k *kit.Keyboard, orders *kit.Choice, changed, search, refold func()) *modelFilter {
	f := &modelFilter{text: kit.NewSearch(k, ""), orders: orders, changed: changed, refold: refold}
	f.text.OnChanged = func(string) { f.busy(false); f.changed() }
	f.text.Submit = search
	f.ask = kit.NewButton(k, "Search online", theme.SearchIcon(), search)
	f.ask.Tip = "Asks the model store, a public library of models (Hugging Face)"
	narrowed := func() { f.sayHowMany(); f.changed() }
	pick := func(options []string) *kit.Choice {
		c := kit.NewChoice(k, options, nil)
		c.SetSelectedIndex(0)
		c.OnChanged = func(string) { narrowed() }
		return c
	}
	f.tasks, f.formats, f.sizes, f.licences = pick(filterTasks), pick(filterFormats), pick(filterSizes), pick(filterLicences)
	f.sorts = pick(filterSorts)
	f.fits = kit.NewCheck(k, "Fits in free memory", func(bool) { narrowed() })
	f.busy(false)
	f.choices = kit.Column(kit.GapSmall, container.New(&kit.Cells{Least: 118}, f.tasks, f.formats, f.sizes, f.licences), container.New(&kit.Cells{Least: 200}, f.sorts, f.fits))
	f.choices.Hide()
	f.aim = newAimChip(k, func() { f.lookFor(nil) })
	f.answer = kit.NewCaption("")
	f.answer.Hide()
	f.fold = kit.NewButton(k, "Filters", theme.MenuDropDownIcon(), f.turn)
	f.more = kit.Column(kit.GapSmall, f.aim.view, container.NewGridWithColumns(2, f.ask, f.fold), f.choices, f.answer)
	f.hits = kit.NewCaption("")
	f.reset = kit.NewTextButton(k, "Show all", f.takeAll)
	f.count = container.NewBorder(nil, nil, nil, f.reset, f.hits)
	f.count.Hide()
	f.view = kit.Column(kit.GapSmall, f.text, f.more, f.orders, f.count)
	return f
}

// turn shows the choices, or hides them.
func (f *modelFilter) turn() {
	icon := theme.MenuDropDownIcon()
	if kit.Show(f.choices, !f.choices.Visible()); f.choices.Visible() {
		icon = theme.MenuDropUpIcon()
	}
	f.fold.SetIcon(icon)
	f.refold()
}

// takeAll lets every model pass again.
func (f *modelFilter) takeAll() {
	quiet := f.changed
	f.changed = func() {} // once, at the end
	for _, c := range []*kit.Choice{f.tasks, f.formats, f.sizes, f.licences} {
		c.SetSelectedIndex(0)
	}
	f.fits.SetChecked(false)
	f.clear()
	f.changed = quiet
	f.sayHowMany()
	f.changed()
}

// narrows reports whether anything is left out, as far as the choices go where the Hub is searched.
func (f *modelFilter) narrows() bool {
	return strings.TrimSpace(f.text.Text) != "" || f.more.Visible() && (f.aim.aim != nil || f.set() > 0)
}

// sayHits says how many models pass of so many, where something is left out.
func (f *modelFilter) sayHits(n, of int) {
	text := ""
	if f.narrows() {
		if text = kit.Count(n, "model"); n < of {
			text = humanize.Comma(int64(n)) + " of " + kit.Count(of, "model")
		}
	}
	if f.hits.Text == text && f.count.Visible() == (text != "") {
		return
	}
	f.hits.Set(text)
	kit.Show(f.count, text != "")
	f.refold()
}

// sayHowMany counts the filters that are set, so that none works unseen.
func (f *modelFilter) sayHowMany() {
	label := "Filters"
	if n := f.set(); n > 0 {
		label += " · " + strconv.Itoa(n)
	}
	f.fold.SetText(label)
}

// set is how many filters are set.
func (f *modelFilter) set() (n int) {
	for _, c := range []*kit.Choice{f.tasks, f.formats, f.sizes, f.licences} {
		if c.SelectedIndex() > 0 {
			n++
		}
	}
	if f.fits.Checked {
		n++
	}
	return n
}

// forHub shows what is for searching.
func (f *modelFilter) forHub(on bool) {
	kit.Show(f.more, on)
	f.text.SetPlaceHolder("Find an installed model")
	if on {
		f.text.SetPlaceHolder("A name, or a task: translate")
	}
}

// busy keeps a search from beginning while another is under way, or there is nothing
// to search for.
func (f *modelFilter) busy(on bool) { f.ask.SetEnabled(!on && strings.TrimSpace(f.text.Text) != "") }

// clear lets everything pass, apart from what was chosen on demand.
func (f *modelFilter) clear() {
	f.aim.set(nil)
	f.text.SetText("")
}

// lookFor lets only models pass that do something; nil: all. What was typed before is no longer
// looked for.
func (f *modelFilter) lookFor(a *aim) {
	f.aim.set(a)
	f.refold()
	if a != nil && f.text.Text != "" {
		f.text.SetText("") // which tells that it changed
		return
	}
	f.changed()
}

// sayAnswer says what the model store answered; "": it was not asked this.
func (f *modelFilter) sayAnswer(text string) {
	if f.answer.Visible() == (text != "") && f.answer.Text == text {
		return
	}
	f.answer.Set(text)
	kit.Show(f.answer, text != "")
	f.refold()
}

func (f *modelFilter) task() string {
	return []string{"", library.KindChat, library.KindEmbedding, library.KindReranker, library.KindEncoder, library.KindText, library.KindTask}[max(0, f.tasks.SelectedIndex())]
}

func (f *modelFilter) format() string {
	return []string{"", "safetensors", "gguf"}[max(0, f.formats.SelectedIndex())]
}

// takes reports whether a model passes, with so much memory free.
func (f *modelFilter) takes(m modelItem, free int64) bool {
	if m.installed != nil {
		name := m.installed.Title() + " " + m.installed.Name + " " + m.installed.ID + " " + taskName(m.installed.Kind) + " " + purposeOf(*m.installed)
		return panel.HasWords(name, f.text.Text) || m.entry != nil && m.entry.Matches(f.text.Text)
	}
	facts := factsOf(m)
	limit := sizeLimits[max(0, f.sizes.SelectedIndex())]
	switch {
	case f.aim.aim != nil && !f.aim.aim.takes(m):
	case m.found == nil && !m.entry.Matches(f.text.Text):
	case f.task() != "" && taskName(f.task()) != taskName(facts.task):
	case f.format() != "" && !slices.Contains(facts.formats, f.format()):
	case limit > 0 && (facts.bytes == 0 || facts.bytes > limit):
	case f.fits.Checked && free > 0 && (facts.bytes == 0 || tooLarge(m, free)):
	case f.licences.SelectedIndex() == 1 && !isOpenLicence(facts.licence):
	case f.licences.SelectedIndex() == 2 && isOpenLicence(facts.licence):
	default:
		return true
	}
	return false
}

// itemFacts is what the filters ask of a model that is not here.
type itemFacts struct {
	task, licence string
	formats       []string
	bytes         int64 // of its smallest form, as far as is known; 0: unknown
}

func factsOf(m modelItem) itemFacts {
	if m.found != nil {
		return itemFacts{m.found.Task, m.found.Licence, m.found.Formats, m.found.Bytes}
	}
	f := itemFacts{task: m.entry.Task, licence: m.entry.Licence}
	for _, d := range m.entry.Downloads {
		format := "safetensors"
		if d.File != "" {
			format = "gguf"
		}
		f.formats = append(f.formats, format)
		if f.bytes == 0 || d.Bytes < f.bytes {
			f.bytes = d.Bytes
		}
	}
	return f
}

func isOpenLicence(licence string) bool {
	return slices.Contains([]string{"apache-2.0", "mit"}, strings.ToLower(licence))
}
