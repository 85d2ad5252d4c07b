package similarity

import (
	"image"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/texts"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
)

// results shows what a comparison found: the matrix, the map and the
// neighbours of the selected text.
type results struct {
	chosen func(i int) // a person chose text i

	view   *fyne.Container
	tabs   *kit.Segments // where the figures do not fit beside one another
	heat   *chart.HeatMap
	legend *chart.Legend
	sort   *kit.Chip // changes the order in which the matrix is drawn
	order  *kit.Line // that order
	sorted bool      // by group
	tooBig *kit.Hint // in the place of a matrix
	pair   *chart.Readout
	points *chart.PointMap
	spread *kit.Line
	whole  *kit.TextButton // brings all of the map into view again
	near   *neighbours
	groups *groups
	turn   *kit.Segments // between these two, where they stand in one card
	layout *resultsLayout

	result   *texts.SimilarityResult
	small    []image.Image // of each picture among the texts; nil: a text
	scale    *chart.Scale
	selected int // -1: none
	partner  int // the other text of the chosen cell
}

func newResults(k *kit.Keyboard) *results {
	r := &results{chosen: func(int) {}, selected: -1, partner: -1, sorted: true}
	r.heat, r.legend, r.pair = chart.NewHeatMap(k), chart.NewLegend(), chart.NewReadout()
	r.points, r.spread, r.near = chart.NewPointMap(k), kit.NewCaption(""), newNeighbours(k)
	r.heat.Chosen = func(i, j int) {
		r.partner = j
		r.chosen(i)
	}
	r.heat.Point = r.read
	choose := func(i int) {
		r.partner = -1
		r.chosen(i)
	}
	r.groups = newGroups(k)
	r.points.Chosen, r.near.chosen, r.groups.chosen = choose, choose, choose
	r.groups.opened = func(int) { r.emphasise() }
	r.spread.Align = fyne.TextAlignTrailing

	r.order = kit.NewCaption("")
	r.sort = kit.NewChip(k, r.order, r.reorder)
	r.sort.Hide()
	r.heat.Partly = func(bool) { r.nameOrder() }
	r.whole = kit.NewTextButton(k, "Show all", r.points.ShowAll)
	r.whole.Hide()
	r.tooBig = kit.NewHint(theme.GridIcon())
	r.tooBig.View.Hide()
	head := container.NewBorder(nil, nil, kit.NewSection("Every pair"), r.legend, container.New(besideTitle{r.order}, r.sort))
	matrix := kit.Card(kit.Bordered(kit.Gap, head, container.NewStack(r.heat, r.tooBig.View), r.pair.View))
	head = container.NewBorder(nil, nil, kit.NewSection("Map of meaning"), r.whole, r.spread)
	r.points.Partly = func(on bool) {
		kit.Show(r.whole, on)
		kit.Show(r.spread, !on)
		head.Refresh()
	}
	plane := kit.Card(kit.Bordered(kit.Gap, head, r.points, nil))
	r.turn = kit.NewSegments(k, []string{"Nearest", "Groups"}, r.turnTo)
	lists := kit.Card(kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, r.near.asks, r.turn), container.NewStack(r.near.view, r.groups.view), nil))
	layout := &resultsLayout{cards: []fyne.CanvasObject{matrix, plane, lists}, turn: r.turn}
	layout.tabs = kit.NewSegments(k, []string{"Matrix", "Map", "Nearest", "Groups"}, func(i int) {
		if i >= tabNearest {
			r.turnTo(i - tabNearest)
		}
		r.view.Refresh()
	})
	r.tabs, r.layout = layout.tabs, layout
	r.turnTo(0)
	r.view = container.New(layout, append([]fyne.CanvasObject{layout.tabs}, layout.cards...)...)
	return r
}

// show shows another result, with the pictures in it; nothing is selected then.
func (r *results) show(result *texts.SimilarityResult, small []image.Image) {
	r.result, r.small, r.near.small = result, small, small
	r.heat.SetPictures(small)
	r.points.SetPictures(small)
	r.scale = chart.NewScale(seenRows(result), kit.InDark())
	r.heat.Set(result.Texts, result.Matrix)
	r.legend.Set(r.scale)
	r.points.Set(result.Texts, result.Points)
	r.points.SetGroups(colorsOf(result.Groups))
	r.spread.Set(spreadText(result))
	r.layout.bare = result.Matrix == nil
	r.groups.set(result)
	r.near.asked = false // it was about other texts; the words stay, to be looked for in these
	if many := len(result.Texts) > manyTexts && result.Groups.Count > 0; r.turn.Index == 0 && many {
		r.turnTo(1) // of many texts a person wants to know what they are about
	}
	if result.Matrix == nil {
		r.tooBig.Say("Too many texts for a matrix", "It shows up to "+humanize.Comma(texts.MostCompared)+" texts. The map and the nearest texts have all of them.")
	} else {
		r.tooBig.View.Hide()
	}
	r.arrange()
	r.partner = -1
	r.choose(-1)
}

// manyTexts is from how many texts on their groups come first.
const manyTexts = 24

// regrouped shows other groups of the same texts. The open one stays open, if it is there.
func (r *results) regrouped() {
	color := -1
	if k := r.groups.open; k >= 0 {
		color = r.groups.colors[k]
	}
	r.points.SetGroups(colorsOf(r.result.Groups))
	r.spread.Set(spreadText(r.result))
	r.groups.set(r.result)
	r.arrange()
	if k := slices.Index(r.groups.colors, color); k >= 0 {
		r.groups.show(k)
	}
	r.emphasise()
}

// colorsOf is the number of the colour of each text, that of its group.
func colorsOf(g texts.Groups) []int {
	if g.Count == 0 {
		return nil
	}
	of := make([]int, len(g.Of))
	for i, k := range g.Of {
		of[i] = g.Color(k)
	}
	return of
}

// arrange draws the matrix by group, or in the order of the list.
func (r *results) arrange() {
	g := r.result.Groups
	if g.Count == 0 || !r.sorted {
		r.heat.SetOrder(nil, nil)
	} else {
		r.heat.SetOrder(g.Order, blocks(r.result))
	}
	r.nameOrder()
}

// nameOrder says on the chip beside the title in which order the matrix is drawn, or that all of it can be
// shown again.
func (r *results) nameOrder() {
	if r.result == nil {
		return
	}
	grouped, partly := r.result.Groups.Count > 0, r.heat.IsPartly()
	r.sort.Tip = "Change the order of the rows and columns"
	switch {
	case partly:
		r.order.Set("Show all")
		r.sort.Tip = "Show all rows and columns again"
	case grouped && r.sorted:
		r.order.Set("By group")
	default:
		r.order.Set("As listed")
	}
	kit.Show(r.sort, r.result.Matrix != nil && (grouped || partly))
	r.sort.Refresh()
}

// reorder is what the chip beside the title does.
func (r *results) reorder() {
	if r.heat.IsPartly() {
		r.heat.ShowAll()
		return
	}
	r.sorted = !r.sorted
	r.arrange()
}

// The tabs of a small window behind which the lists are.
const tabNearest = 2

// turnTo shows the nearest texts, or the groups, in the card that both share.
func (r *results) turnTo(i int) {
	r.turn.Select(i)
	if r.tabs.Index >= tabNearest {
		r.tabs.Select(tabNearest + i)
	}
	kit.Show(r.near.view, i == 0)
	kit.Show(r.groups.view, i == 1)
	if i == 0 && r.groups.open >= 0 {
		r.groups.show(-1) // the map shows all texts again
	}
}

// mostHits is how many of the texts that are closest to a person's own words are marked on the map.
const mostHits = 5

// answer lists the texts that are closest to a person's own words, and marks the first on the map.
func (r *results) answer(question string, found []texts.Neighbour) {
	r.turnTo(0)
	r.choose(-1)
	r.near.answer(question, found, r.result, r.scale)
	r.emphasise()
}

// emphasise shows on the map what the list is about: a group, the texts closest to a person's own words, or
// all texts alike.
func (r *results) emphasise() {
	switch {
	case r.groups.open >= 0:
		r.points.Emphasise(r.groups.inOpen(), false)
	case r.near.asked:
		var hits []int
		for _, n := range r.near.found[:min(mostHits, len(r.near.found))] {
			hits = append(hits, n.Index)
		}
		r.points.Emphasise(hits, true)
	default:
		r.points.Emphasise(nil, false)
	}
}

// leastAlike is the mean similarity from which on a group has a frame. Models give less than that to
// texts that have hardly anything in common.
const leastAlike = 0.2

// blocks are the groups of a result in the order of its matrix. A group whose texts are hardly alike has
// no frame, and the text that is most like all others of its group stands for it. A result without a
// matrix has none that are drawn.
func blocks(r *texts.SimilarityResult) []chart.Block {
	list := make([]chart.Block, r.Groups.Count)
	for k, group := range r.Groups.Members() {
		n := len(group)
		list[k].Size, list[k].Name = n, nameOf(r, k, group)
		if r.Matrix == nil {
			continue
		}
		all, best := 0.0, math.Inf(-1)
		list[k].Text = group[0]
		for _, i := range group {
			sum := 0.0
			for _, j := range group {
				if i != j {
					sum += float64(r.Matrix[i][j])
				}
			}
			if all += sum; sum > best {
				list[k].Text, best = i, sum
			}
		}
		list[k].Framed = n < 2 || all/float64(n*(n-1)) >= leastAlike
	}
	return list
}

// rowsSeen is how many rows tell the range of a matrix that is not computed.
const rowsSeen = 48

// seenRows are the rows of the matrix, or some of them where there is none.
func seenRows(r *texts.SimilarityResult) [][]float32 {
	if r.Matrix != nil {
		return r.Matrix
	}
	rows := make([][]float32, rowsSeen)
	for k := range rows {
		rows[k] = r.Row(k * len(r.Texts) / rowsSeen)
	}
	return rows
}

// spreadText says how many groups there are, and whether the map shows less than all differences.
func spreadText(r *texts.SimilarityResult) string {
	const nearlyAll = 0.99
	total := r.Explained[0] + r.Explained[1]
	var said []string
	if n := r.Groups.Count; n > 0 {
		said = append(said, kit.Count(n, "group"))
	}
	if total > 0 && total < nearlyAll {
		said = append(said, "a rough picture")
	}
	return strings.Join(said, " · ")
}

// choose marks text i everywhere, without telling anybody; -1: none.
func (r *results) choose(i int) {
	r.selected = i
	if r.result == nil || i < 0 || i >= len(r.result.Texts) {
		r.selected = -1
		r.heat.Choose(-1, -1)
		r.points.Choose(-1, nil, nil)
		r.near.clear("No text selected", "Select a text to see what is closest to it.")
		r.emphasise()
		r.read(-1, -1)
		return
	}
	found := r.result.Nearest(i, chart.MapLinks)
	near := make([]int, len(found))
	for k, n := range found {
		near[k] = n.Index
	}
	if r.partner < 0 || r.partner >= len(r.result.Texts) {
		r.partner = i
		if len(near) > 0 {
			r.partner = near[0]
		}
	}
	matrix := r.result.Row(i)
	r.heat.Choose(i, r.partner)
	r.points.Choose(i, near, func(j int) float64 { return r.scale.Share(matrix[j]) })
	r.near.show(i, r.result, r.scale)
	r.emphasise()
	r.partner = -1
	r.read(-1, -1)
}

// read writes the cell under the pointer out, else the chosen one.
func (r *results) read(i, j int) {
	if i < 0 || j < 0 {
		i, j = r.heat.Row, r.heat.Column
	}
	if r.result == nil || i < 0 || j < 0 {
		r.pair.Clear()
		return
	}
	r.pair.Show(i, j, r.result.Texts[i], r.result.Texts[j], r.result.Cosine(i, j))
}

// Sizes at which the cards are arranged in another way.
const (
	twoColumns   float32 = 620
	threeColumns float32 = 1180
	lowest       float32 = 400 // lower areas show one card at a time
)

// resultsLayout puts the cards beside each other where there is room, else
// one at a time under tabs.
type resultsLayout struct {
	tabs  *kit.Segments
	cards []fyne.CanvasObject // matrix, map, lists
	turn  *kit.Segments       // between the lists
	bare  bool                // there are too many texts for a matrix
}

func (l *resultsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 220) }

func (l *resultsLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const space = 12
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Show()
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, w), max(0, h)))
	}
	if size.Width < twoColumns || size.Height < lowest {
		l.tabs.Show()
		l.turn.Hide()
		tabs := l.tabs.MinSize()
		l.tabs.Move(fyne.NewPos(0, 0))
		l.tabs.Resize(fyne.NewSize(min(size.Width, max(tabs.Width, 300)), tabs.Height))
		for i, c := range l.cards {
			if i == min(l.tabs.Index, tabNearest) {
				put(c, 0, tabs.Height+kit.Gap, size.Width, size.Height-tabs.Height-kit.Gap)
			} else {
				c.Hide()
			}
		}
		return
	}
	l.tabs.Hide()
	l.turn.Show()
	if l.bare { // the map has the place of the matrix
		a := (size.Width - space) * 0.58
		l.cards[0].Hide()
		put(l.cards[1], 0, 0, a, size.Height)
		put(l.cards[2], a+space, 0, size.Width-space-a, size.Height)
		return
	}
	if size.Width >= threeColumns {
		w := size.Width - 2*space
		a, b := w*0.46, w*0.29
		put(l.cards[0], 0, 0, a, size.Height)
		put(l.cards[1], a+space, 0, b, size.Height)
		put(l.cards[2], a+b+2*space, 0, w-a-b, size.Height)
		return
	}
	a := (size.Width - space) * 0.58
	b := size.Width - space - a
	upper := (size.Height - space) * 0.5
	put(l.cards[0], 0, 0, a, size.Height)
	put(l.cards[1], a+space, 0, b, upper)
	put(l.cards[2], a+space, upper+space, b, size.Height-upper-space)
}

// besideTitle gives a chip with a line its own width behind a title, or what there is; where that
// is too little to be read, none.
type besideTitle struct{ line *kit.Line }

func (besideTitle) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, o[0].MinSize().Height)
}

func (b besideTitle) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const least, around = 45, 24
	width := min(size.Width-kit.Gap, fyne.MeasureText(b.line.Text, b.line.TextSize, b.line.Style).Width+around)
	if width < least {
		width = 0
	}
	height := o[0].MinSize().Height
	o[0].Move(fyne.NewPos(kit.Gap, (size.Height-height)/2))
	o[0].Resize(fyne.NewSize(width, height))
}
