package prose

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
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
}

type wantedMath struct {
	mathLook
	x, y float32 // where the formula begins on the baseline
}

func (k *keptMaths) begin() { k.wanted = k.wanted[:0] }

func (k *keptMaths) next(p *mathPart, c color.NRGBA, x, y float32) {
	k.wanted = append(k.wanted, wantedMath{mathLook{p, c}, x, y})
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
	size := fyne.NewSize(ceil(float32(w.part.Width)*w.part.scale)+2*mathEdge, w.above()+ceil(w.part.below())+mathEdge)
	r.Move(fyne.NewPos(whole(w.x)-mathEdge, w.y-w.above()))
	r.Resize(size)
	r.Show()
}

func ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// draw draws a formula in so many pixels.
func (w mathLook) draw(width, height int) image.Image {
	scale := float64(height) / float64(w.above()+ceil(w.part.below())+mathEdge)
	alpha := w.part.Draw(width, height, mathEdge*scale, math.Round(float64(w.above())*scale), scale*float64(w.part.scale))
	picture := image.NewNRGBA(alpha.Rect)
	for i, a := range alpha.Pix {
		if a > 0 {
			picture.Pix[4*i], picture.Pix[4*i+1], picture.Pix[4*i+2], picture.Pix[4*i+3] = w.color.R, w.color.G, w.color.B, heavier[a]
		}
	}
	return picture
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
