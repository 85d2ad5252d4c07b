package similarity

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// fullTextHeight is how much of the selected text is in view at once.
const fullTextHeight float32 = 64

// neighbours lists the texts nearest to the selected one, the best first.
type neighbours struct {
	chosen  func(i int)
	find    func(question string) // a person asked what is closest to these words
	emptied func()                // they took these words away

	view  *fyne.Container
	asks  *kit.Entry
	title *kit.Line
	full  *kit.Paragraph
	list  *kit.Rows
	hint  *kit.Hint
	found []texts.Neighbour // of texts that say the same the first alone
	times []int             // how often each is there
	small []image.Image     // of each picture among the texts
	seen  *canvas.Image     // the picture that is selected
	texts []string
	scale *chart.Scale
	asked bool // the list answers a person's own words
	moved bool // the texts on the list have other numbers now

	digits float32 // width of the highest number
}

func newNeighbours(k *kit.Keyboard) *neighbours {
	n := &neighbours{chosen: func(int) {}, find: func(string) {}, emptied: func() {}, asks: kit.NewEntry(k), title: kit.NewSection("Nearest texts"), full: kit.NewParagraph("", theme.ColorNameForeground)}
	n.list = kit.NewRows(k, func() int { return len(n.found) }, n.newRow, n.fill)
	n.list.Clicked = func(i int) { n.chosen(n.found[i].Index) }
	n.list.Opened = n.list.Clicked
	n.hint = kit.NewHint(theme.ListIcon())
	n.asks.SetPlaceHolder("Find what is closest to…")
	n.asks.Submit = func() {
		if question := strings.TrimSpace(n.asks.Text); question != "" {
			n.find(question)
		}
	}
	n.asks.OnChanged = func(words string) {
		if n.asked && strings.TrimSpace(words) == "" {
			n.asked = false
			n.emptied()
		}
	}
	n.seen = textlist.NewThumb()
	n.seen.SetMinSize(fyne.NewSquareSize(fullTextHeight))
	full := container.New(&kit.Capped{Most: fullTextHeight}, container.NewVScroll(n.full.Flat))
	n.view = kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, n.title, full, n.seen), container.NewStack(n.list, n.hint.View), nil)
	n.clear("", "")
	return n
}

// show lists the neighbours of text i.
func (n *neighbours) show(i int, r *texts.SimilarityResult, s *chart.Scale) {
	kind := "text"
	if i < len(n.small) && n.small[i] != nil {
		kind = "picture"
	}
	title := fmt.Sprintf("Nearest to %s %d", kind, i+1)
	if n.moved {
		title = "Nearest to this " + kind
	}
	n.rank(title, r.Texts[i], r.Nearest(i, len(r.Texts)), r, s)
	if kind == "picture" {
		textlist.SetThumb(n.seen, n.small[i], n.view)
	}
}

// answer lists all texts, the closest to a person's own words first.
func (n *neighbours) answer(question string, found []texts.Neighbour, r *texts.SimilarityResult, s *chart.Scale) {
	n.rank("Closest to your words", question, found, r, s)
	n.asked = true
}

// rank lists texts under a title, with the text that they are near to.
func (n *neighbours) rank(title, full string, found []texts.Neighbour, r *texts.SimilarityResult, s *chart.Scale) {
	n.asked = false
	n.texts, n.scale, n.digits = r.Texts, s, textlist.NumberWidth(len(r.Texts))
	order := make([]int, len(found))
	for row, one := range found {
		order[row] = one.Index
	}
	rows, times := once(order, r)
	n.found, n.times = nil, times
	for _, row := range rows {
		n.found = append(n.found, found[row])
	}
	n.title.Set(title)
	n.full.Set(full)
	n.full.Flat.Show()
	textlist.SetThumb(n.seen, nil, n.view)
	n.hint.View.Hide()
	n.list.Current = -1
	n.list.Scroll.ScrollToTop()
	n.list.Refresh()
	n.view.Refresh()
}

// once are the places in a list of those texts that say something for the first time, and how often each of these is
// in it. Pictures are never the same.
func once(list []int, r *texts.SimilarityResult) (places, times []int) {
	seen := map[string]int{}
	for place, i := range list {
		if picture := i < len(r.Pictures) && r.Pictures[i] != ""; !picture {
			if k, there := seen[r.Texts[i]]; there {
				times[k]++
				continue
			}
			seen[r.Texts[i]] = len(places)
		}
		places, times = append(places, place), append(times, 1)
	}
	return places, times
}

// timesText is a text that is there so many times.
func timesText(text string, times int) string {
	if times < 2 {
		return text
	}
	return "×" + strconv.Itoa(times) + " " + text
}

// clear lists nothing and says why.
func (n *neighbours) clear(title, why string) {
	n.found, n.times, n.asked = nil, nil, false
	n.title.Set("Nearest texts")
	n.full.Set("")
	n.full.Flat.Hide()
	textlist.SetThumb(n.seen, nil, n.view)
	n.hint.Say(title, why)
	n.list.Refresh()
	n.view.Refresh()
}

// newRow is a row: number, text and cosine above a bar.
func (n *neighbours) newRow() fyne.CanvasObject {
	number := kit.NewCaption("")
	number.Align = fyne.TextAlignTrailing
	value := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	value.Style.Bold, value.Align = true, fyne.TextAlignTrailing
	return container.New(&neighbourLayout{
		number: &n.digits,
		value:  fyne.MeasureText("-0.00", kit.TextBody, fyne.TextStyle{Bold: true}).Width,
	}, number, kit.NewLine("", kit.TextBody, theme.ColorNameForeground), value, kit.NewBar(4), textlist.NewThumb())
}

func (n *neighbours) fill(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects
	found := n.found[i]
	parts[0].(*kit.Line).Set(strconv.Itoa(found.Index + 1))
	parts[1].(*kit.Line).Set(timesText(n.texts[found.Index], n.times[i]))
	parts[2].(*kit.Line).Set(kit.Cosine(found.Score))
	parts[3].(*kit.Bar).Set(max(0, float64(found.Score))) // what is unlike has no bar
	var small image.Image
	if found.Index < len(n.small) {
		small = n.small[found.Index]
	}
	textlist.SetThumb(parts[4].(*canvas.Image), small, o.(*fyne.Container))
}

// neighbourLayout places number, text, value and, below text and value, the
// bar. A thumbnail comes before the text.
type neighbourLayout struct {
	number *float32
	value  float32
}

func (l *neighbourLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(*l.number+l.value+80, o[1].MinSize().Height+5+4+14)
}

func (l *neighbourLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const top = 6
	height := o[1].MinSize().Height
	left, right := kit.GapSmall+*l.number+kit.Gap, size.Width-kit.Gap
	o[0].Move(fyne.NewPos(kit.GapSmall, top))
	o[0].Resize(fyne.NewSize(*l.number, height))
	left += textlist.PlaceThumb(o[4].(*canvas.Image), left, size.Height/2)
	o[1].Move(fyne.NewPos(left, top))
	o[1].Resize(fyne.NewSize(max(0, right-l.value-kit.Gap-left), height))
	o[2].Move(fyne.NewPos(right-l.value, top))
	o[2].Resize(fyne.NewSize(l.value, height))
	o[3].Move(fyne.NewPos(left, top+height+5))
	o[3].Resize(fyne.NewSize(max(0, right-left), 4))
}
