package prose

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"inglenook/formula"
	"inglenook/ui/kit"
)

// keptMaths lends pictures of formulas, to each formula the one that shows it already if there
// is one.
type keptMaths struct {
	all    []*canvas.Raster
	keys   []mathLook // each of all
	wanted []wantedMath
}

type mathLook struct {
	part  *mathPart
	color color.NRGBA
	shift float32 // how far the part was moved to the left, of one that is wider than its place
}

type wantedMath struct {
	mathLook
	x, y float32 // where the formula begins on the baseline
}

func (k *keptMaths) begin() { k.wanted = k.wanted[:0] }

func (k *keptMaths) next(p *mathPart, c color.NRGBA, x, y float32) {
	k.wanted = append(k.wanted, wantedMath{mathLook{p, c, p.shift}, x, y})
}

// end gives every formula its picture, and hides those that are left.
func (k *keptMaths) end() {
	have := make(map[mathLook][]int, len(k.all))
	for i, key := range k.keys {
		have[key] = append(have[key], i)
	}
	taken := make([]bool, len(k.all))
	var others []wantedMath
	for _, w := range k.wanted {
		same := have[w.mathLook]
		if len(same) == 0 {
			others = append(others, w)
			continue
		}
		have[w.mathLook], taken[same[0]] = same[1:], true
		k.place(same[0], w)
	}
	next := 0
	for _, w := range others {
		for next < len(taken) && taken[next] {
			next++
		}
		if next == len(k.all) {
			k.all, k.keys, taken = append(k.all, &canvas.Raster{}), append(k.keys, mathLook{}), append(taken, false)
		}
		k.keys[next] = w.mathLook
		k.all[next].Generator = w.draw
		k.place(next, w)
		canvas.Refresh(k.all[next])
		taken[next] = true
	}
	for i, used := range taken {
		if !used {
			k.all[i].Hide()
		}
	}
}

// mathEdge is the room around a formula in its picture: accents and italics reach beyond it.
const mathEdge = 4

// above is the distance from the upper edge of the picture to the baseline.
func (w mathLook) above() float32 { return ceil(w.part.above()) + mathEdge }

func (k *keptMaths) place(i int, w wantedMath) {
	r := k.all[i]
	size := fyne.NewSize(ceil(w.part.shown())+2*mathEdge, w.above()+ceil(w.part.below())+mathEdge)
	r.Move(fyne.NewPos(whole(w.x)-mathEdge, w.y-w.above()))
	r.Resize(size)
	r.Show()
}

func ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// draw draws a formula in so many pixels.
func (w mathLook) draw(width, height int) image.Image {
	scale := float64(height) / float64(w.above()+ceil(w.part.below())+mathEdge)
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for _, ink := range w.part.Inks() {
		c := w.ink(ink)
		alpha := w.part.Draw(ink, width, height, (mathEdge-float64(w.shift))*scale, math.Round(float64(w.above())*scale), scale*float64(w.part.scale))
		if alpha.Rect != picture.Rect {
			return alpha // too large to draw
		}
		for i, a := range alpha.Pix {
			if a > 0 {
				picture.Pix[4*i], picture.Pix[4*i+1], picture.Pix[4*i+2], picture.Pix[4*i+3] = c.R, c.G, c.B, heavier[a]
			}
		}
	}
	return picture
}

// readable is the contrast that text has to have with what it stands on.
const readable = 4.5

// ink is the colour in which a part of the formula is drawn: its own, mixed with that of text
// until it can be read in this theme.
func (w mathLook) ink(c formula.Color) color.NRGBA {
	if !c.Some {
		return w.color
	}
	own, ground := color.NRGBA{R: c.R, G: c.G, B: c.B, A: 255}, kit.Themed(theme.ColorNameBackground)
	for t := 0.0; t < 1; t += 0.05 {
		if mixed := kit.Mix(own, w.color, t); kit.Contrast(mixed, ground) >= readable {
			return mixed
		}
	}
	return w.color
}

// heavier makes the thin lines of the font as dark as the text around them.
var heavier = func() (table [256]uint8) {
	for i := range table {
		table[i] = uint8(math.Round(255 * math.Pow(float64(i)/255, 0.8)))
	}
	return table
}()

func (k *keptMaths) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, r := range k.all {
		objects = append(objects, r)
	}
	return objects
}
