package kit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// scrolledList is what both kinds of lists have in common: they are scrolled, resized, and show
// another number of rows.
type scrolledList struct {
	widget fyne.Widget
	scroll func(dy float32)
	reload func(length int)
	end    func()
	// gap returns the first height in view, from the upper edge, where a row is missing, or a
	// number below 0.
	gap func() float32
}

// Whatever is done to a list, in any order, rows cover the area in view, and the list is never
// scrolled past its end.
func TestRowsCoverTheView(t *testing.T) {
	for name, make := range map[string]func() scrolledList{"rows": coveredRows, "list": coveredList} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				plainApp(t)
				l := make()
				w := test.NewTempWindow(t, l.widget)
				w.SetPadded(false)
				r := rand.New(rand.NewPCG(seed, 7))
				done := []string{}
				for range 40 {
					what := ""
					switch r.IntN(5) {
					case 0, 1:
						size := fyne.NewSize(80+r.Float32()*900, 30+r.Float32()*900)
						if r.IntN(2) == 0 { // the height alone
							size.Width = max(80, l.widget.Size().Width)
						}
						what = fmt.Sprint("size ", size)
						w.Resize(size)
					case 2:
						dy := (r.Float32() - 0.6) * 3000
						what = fmt.Sprint("scroll ", dy)
						l.scroll(dy)
					case 3:
						what = "end"
						l.end()
					case 4:
						n := []int{0, 1, 3, 40, 400}[r.IntN(5)]
						what = fmt.Sprint("length ", n)
						l.reload(n)
					}
					done = append(done, what)
					if y := l.gap(); y >= 0 {
						t.Fatalf("seed %d: nothing at %v of %v after %v", seed, y, l.widget.Size().Height, done)
					}
				}
			}
		})
	}
}

// gapIn returns the first height in view that no span covers, up to where the rows end.
func gapIn(spans [][2]float32, offset, height, total float32) float32 {
	const rounding = 0.5
	if offset < 0 || offset > max(0, total-height)+rounding {
		return 0 // scrolled past the end
	}
	y := offset
	for more := true; more && y < min(offset+height, total)-rounding; {
		more = false
		for _, s := range spans {
			if s[0] <= y+rounding && s[1] > y+rounding {
				y, more = s[1], true
			}
		}
	}
	if y < min(offset+height, total)-rounding {
		return y - offset
	}
	return -1
}

func spansOf(objects []fyne.CanvasObject) (spans [][2]float32) {
	for _, o := range objects {
		if o.Visible() {
			spans = append(spans, [2]float32{o.Position().Y, o.Position().Y + o.Size().Height})
		}
	}
	return spans
}

func coveredRows() scrolledList {
	n := 40
	r := NewRows(&Keyboard{}, func() int { return n }, func() fyne.CanvasObject { return NewLine("x", TextBody, ColorMuted) },
		func(i int, o fyne.CanvasObject) { o.(*Line).Set(fmt.Sprint(i)) })
	return scrolledList{
		widget: r,
		scroll: func(dy float32) { r.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, dy)}) },
		reload: func(length int) { n = length; r.Refresh() },
		end:    func() { r.Scroll.ScrollToBottom() },
		gap: func() float32 {
			return gapIn(spansOf(test.WidgetRenderer(r.area).Objects()), r.Scroll.Offset.Y, r.Scroll.Size().Height, float32(n)*r.Height)
		},
	}
}

// unevenList returns a list of n rows of many heights, which are guessed wrong.
func unevenList(n *int) *List {
	l := NewList(&Keyboard{}, ListRows{
		Length: func() int { return *n },
		ID:     func(i int) int64 { return int64(i) },
		Create: func(i int) fyne.CanvasObject {
			row := canvas.NewRectangle(nil)
			row.SetMinSize(fyne.NewSize(10, float32(10+i*37%300)))
			return row
		},
		Guess: func(int, float32) float32 { return 60 },
	})
	l.Reload()
	return l
}

func coveredList() scrolledList {
	n := 40
	l := unevenList(&n)
	return scrolledList{
		widget: l,
		scroll: func(dy float32) { l.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, dy)}) },
		reload: func(length int) { n = length; l.Reload() },
		end:    l.ToEnd,
		gap: func() float32 {
			return gapIn(spansOf(test.WidgetRenderer(l.area).Objects()), l.Scroll.Offset.Y, l.Scroll.Size().Height, l.total())
		},
	}
}

// The rows in view stay in place when rows above turn out higher or lower than guessed.
func TestScrollingDoesNotJump(t *testing.T) {
	plainApp(t)
	n := 2000
	l := unevenList(&n)
	test.NewTempWindow(t, l).Resize(fyne.NewSize(300, 500))
	l.ToEnd()
	for range 60 {
		at := l.first(l.Scroll.Offset.Y) + 1
		before := l.tops[at] - l.Scroll.Offset.Y
		l.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 40)})
		if moved := l.tops[at] - l.Scroll.Offset.Y - before; moved < 39 || moved > 41 {
			t.Fatalf("scrolling by 40 moves row %d by %v", at, moved)
		}
	}
}

// The mark of a row follows where it begins, also where the rows keep their size.
func TestMarkOfARowMoves(t *testing.T) {
	from := float32(0)
	r := NewRows(&Keyboard{}, func() int { return 2 }, func() fyne.CanvasObject { return NewLine("x", TextBody, ColorMuted) }, func(int, fyne.CanvasObject) {})
	r.MarkFrom = func(float32) float32 { return from }
	w := test.NewTempWindow(t, r)
	w.Resize(fyne.NewSize(300, 200))
	r.Choose(0)
	row := test.WidgetRenderer(r.area).Objects()[0].(*rowView)
	for _, from = range []float32{0, 50} {
		r.Refresh()
		if back := test.WidgetRenderer(row).(*rowRenderer).back; back.Position().X != from || back.Position().X+back.Size().Width != row.Size().Width {
			t.Errorf("the mark that begins at %v is at %v, %v wide of %v", from, back.Position(), back.Size(), row.Size())
		}
	}
}
