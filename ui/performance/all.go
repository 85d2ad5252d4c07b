package performance

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// allPage compares the models of this computer, each in the fastest of the ways that were measured.
type allPage struct {
	panel.Host
	kit.RunControls
	app      App
	colors   *ways.Colors
	begin    *kit.Button    // measures them all
	later    *kit.Button    // does so when the computer is quiet
	only     *kit.Check     // of them those alone that were not measured yet
	where    *kit.Paragraph // it does so, and how long that takes
	page     *fyne.Container
	view     fyne.CanvasObject
	measure  func(quiet bool)    // all of them
	stop     func()              // does not go on
	open     func(library.Model) // leads to the page of a model
	narrowed func()              // only was ticked, or not any longer
	filled   func()              // it is known what was measured
	foreign  func(measure.Result) bool
	fail     func(error)
	order    sorting

	nameWidth float32 // of the longest name in the table

	list   []measure.Result // what is compared, the newest first
	models []library.Model
	memory map[string]int64 // bytes that a model takes in its fastest way
	shown  []standing       // in their order
	asked  bool             // for what was measured
}

func newAllPage(h panel.Host, a App, colors *ways.Colors) *allPage {
	p := &allPage{Host: h, app: a, colors: colors, order: sorting{column: bySpeed}, memory: map[string]int64{}}
	k := h.Keys
	p.begin = kit.NewButton(k, "Measure all models", theme.MediaPlayIcon(), func() { p.measure(false) })
	p.later = kit.NewQuietButton(k, "When it is quiet", theme.HistoryIcon(), func() { p.measure(true) })
	p.later.Tip = "Wait until other programs need little of the processors, then measure all models"
	p.only = kit.NewCheck(k, "Only those not measured yet", func(bool) { p.narrowed() })
	p.RunControls = kit.NewRunControls(k, func() { p.stop() })
	p.page, p.view = scrolled()
	p.page.Add(kit.NewParagraph("Looking for what was measured…", kit.ColorMuted).Flat)
	p.where = kit.NewParagraph("", kit.ColorMuted).Small()
	p.view = kit.Bordered(kit.Gap, kit.Column(kit.GapSmall, container.NewStack(container.New(&kit.Wrap{}, p.begin, p.later, p.only), p.Progress), p.where.Flat), p.view, nil)
	return p
}

// show compares models by what was measured: the list has the newest first.
func (p *allPage) show(list []measure.Result, models []library.Model) {
	p.list, p.models = list, models
	p.draw()
}

// draw draws a table for each kind of work. Models that were not measured are named below.
func (p *allPage) draw() {
	p.page.Objects, p.shown, p.nameWidth = nil, nil, 0
	measured := map[string]bool{}
	why := ""
	all := make([][]standing, len(deeds))
	for i, d := range deeds {
		all[i] = d.standings(p.list, p.models)
		for _, s := range all[i] { // the columns of all tables stand below each other
			p.nameWidth = max(p.nameWidth, s.nameNeeds())
		}
	}
	for i, d := range deeds {
		found := all[i]
		if len(found) == 0 {
			continue
		}
		most := 0.0
		for i := range found {
			s := &found[i]
			s.memory = p.memory[s.model.ID]
			measured[s.model.ID], most, why = true, max(most, s.speed(s.best)), cmp.Or(why, s.why)
		}
		p.order.sort(found)
		rows := kit.Column(0, p.head())
		for _, s := range found {
			rows.Add(p.row(s, most))
		}
		p.shown = append(p.shown, found...)
		p.page.Add(kit.Section(capitalized(d.does), d.unit()+", each model in its fastest way", kit.Column(kit.GapSmall, rows, kit.NewParagraph(d.legend(), kit.ColorMuted).Small().Flat)))
	}
	if len(p.shown) > 0 {
		p.page.Add(kit.NewParagraph("Memory is what a model takes in that way, with the program itself.", kit.ColorMuted).Small().Flat)
	} else {
		p.page.Add(kit.NewParagraph("No model has been measured yet. Measure all of them, and their speeds stand beside each other here.", kit.ColorMuted).Flat)
	}
	if why != "" {
		p.page.Add(kit.NewParagraph("A hatched bar is not reliable: "+why+" while it was measured. Measure again when the computer has nothing else to do.", theme.ColorNameWarning).Small().Flat)
	}
	var newer, rest []string
	for _, s := range p.shown {
		if s.newer && !slices.Contains(newer, s.model.Title()) {
			newer = append(newer, s.model.Title())
		}
	}
	if len(newer) > 0 {
		p.page.Add(kit.NewParagraph("Measured again since, but less reliably or in fewer ways: "+strings.Join(newer, ", ")+". History has that.", kit.ColorMuted).Small().Flat)
	}
	for _, m := range p.models {
		if !measured[m.ID] {
			rest = append(rest, m.Title())
		}
	}
	if n := len(rest); n > 0 && len(p.shown) > 0 {
		p.page.Add(kit.NewParagraph("Not measured yet: "+strings.Join(rest, ", ")+".", kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}

// fastest are the models in their order, for a file.
func (p *allPage) fastest() (list []measure.Fastest) {
	for _, s := range p.shown {
		m, _ := s.best.Measure(s.work)
		list = append(list, measure.Fastest{Result: s.result, Row: s.best, Measure: m, Bytes: s.model.Bytes, Memory: s.memory, Shown: s.speed(s.best), Counted: s.counts, Judged: s.way()})
	}
	return list
}

// unmeasured are those of some models of which nothing is known yet.
func (p *allPage) unmeasured(models []library.Model) []library.Model {
	return slices.DeleteFunc(slices.Clone(models), func(m library.Model) bool {
		return slices.ContainsFunc(p.list, func(r measure.Result) bool { return r.Model == m.ID })
	})
}

// fill asks once what was measured of these models, until something else is, and then what they take of
// memory.
func (p *allPage) fill(models []library.Model) {
	if p.asked {
		return
	}
	p.asked = true
	p.Work(func(ctx context.Context) {
		list, err := p.app.PerformanceHistory("")
		p.Do(func() {
			if err != nil {
				p.fail(err)
			}
			p.show(slices.DeleteFunc(list, p.foreign), models)
			p.filled()
			shown := slices.Clone(p.shown)
			p.Work(func(context.Context) { p.askMemory(ctx, shown) })
		})
	})
}

// askMemory asks what models take of memory in their fastest ways, and shows that.
func (p *allPage) askMemory(ctx context.Context, shown []standing) {
	known := map[string]int64{}
	for _, s := range shown {
		got, err := p.app.Compat(ctx, fit.CompatRequest{Model: s.model.ID, Hold: s.best.Hold})
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			known[s.model.ID] = memoryOn(got, s.best.Device)
		}
	}
	p.Do(func() {
		maps.Copy(p.memory, known)
		p.draw()
	})
}

// memoryOn is what a model takes on a device; 0: it is not known.
func memoryOn(c fit.Compat, device string) int64 {
	for _, d := range c.Devices {
		if d.Device == device {
			return d.Memory.Total
		}
	}
	return 0
}
