package chart

import (
	"image/color"
	"math"

	"inglenook/ui/kit"
)

// The stops of the colour scale, even steps from the lowest value to the
// highest: from paper to glowing coal, and at night from ash to flame.
var (
	scaleLight = []color.NRGBA{kit.Hex(0xFBF4E9FF), kit.Hex(0xF8E0BEFF), kit.Hex(0xF3BE83FF), kit.Hex(0xE88F4AFF), kit.Hex(0xCF5A25FF), kit.Hex(0xA2351BFF), kit.Hex(0x661F19FF)}
	scaleDark  = []color.NRGBA{kit.Hex(0x2D2723FF), kit.Hex(0x4A3024FF), kit.Hex(0x713A23FF), kit.Hex(0xA34B20FF), kit.Hex(0xD66E26FF), kit.Hex(0xF29F45FF), kit.Hex(0xFFD58AFF)}
)

// Scale gives each value between lo and hi its colour.
type Scale struct {
	lo, hi float32
	colors [256]color.NRGBA
}

// NewScale spans the values of a matrix of cosines. The upper end is 1; the
// lower one is the smallest value, rounded down to a tenth, so that models
// whose cosines all lie close together still show their differences.
func NewScale(matrix [][]float32, isDark bool) *Scale {
	low := float32(1)
	for _, r := range matrix {
		for _, v := range r {
			low = min(low, v)
		}
	}
	// The hundredth of a thousandth keeps 0.7 at 0.7.
	low = max(-1, float32(math.Floor(float64(low)*10+1e-5)/10))
	return spanScale(min(low, 0.9), 1, isDark)
}

// spanScale returns the colours between two values.
func spanScale(lo, hi float32, isDark bool) *Scale {
	s := &Scale{lo: lo, hi: hi}
	stops := scaleLight
	if isDark {
		stops = scaleDark
	}
	for i := range s.colors {
		at := float64(i) / float64(len(s.colors)-1) * float64(len(stops)-1)
		k := min(len(stops)-2, int(at))
		s.colors[i] = kit.Mix(stops[k], stops[k+1], at-float64(k))
	}
	return s
}

// Share places v between the ends: 0 at the lowest value, 1 at the highest.
func (s *Scale) Share(v float32) float64 {
	return min(1, max(0, float64(v-s.lo)/float64(s.hi-s.lo)))
}

// at returns the colour of v.
func (s *Scale) at(v float32) color.NRGBA {
	return s.colors[int(s.Share(v)*float64(len(s.colors)-1)+0.5)]
}

// ink is the colour of text on a cell: black or white, whichever stands out
// more. One of the two always has a contrast of at least 4.58:1.
func ink(cell color.NRGBA) color.NRGBA {
	black, white := kit.Hex(0x000000FF), kit.Hex(0xFFFFFFFF)
	if kit.Contrast(cell, white) > kit.Contrast(cell, black) {
		return white
	}
	return black
}
