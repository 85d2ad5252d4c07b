package pictures

import (
	"image"
	"image/color"
)

// The kinds of PNG of which one colour may stand for nothing, and the bytes of a file that tell
// bits and kind: those of the chunk IHDR, which comes first.
const (
	greyKind, colourKind = 0, 2
	bitsByte, kindByte   = 24, 25
)

// whitened returns how the colours of a PNG are read in which one colour stands for nothing: that
// colour is white, as the reference library shows it. It does so for what its chunk tRNS says of
// grey and coloured pixels, and where one entry of a palette is wholly transparent and no other
// is in part.
func whitened(data []byte, m image.Image, at func(x, y int) (r, g, b uint8)) func(x, y int) (r, g, b uint8) {
	if p, is := m.(*image.Paletted); is {
		empty, one := emptyEntry(p.Palette)
		if !one {
			return at
		}
		return func(x, y int) (r, g, b uint8) {
			r, g, b = at(x, y)
			if r == empty.R && g == empty.G && b == empty.B { // other entries of the same colour, too
				return 255, 255, 255
			}
			return r, g, b
		}
	}
	if kind := data[kindByte]; kind != greyKind && kind != colourKind {
		return at // how much each pixel covers is not read
	}
	from := m.Bounds().Min
	switch m := m.(type) {
	case *image.NRGBA:
		bits := data[bitsByte]
		return func(x, y int) (r, g, b uint8) {
			c := m.NRGBAAt(x+from.X, y+from.Y)
			if known := bits == 1 || bits == 8 || c.R == 0; c.A == 0 && known { // PIL does not scale a key of 2 or 4 bits
				return 255, 255, 255
			}
			return c.R, c.G, c.B
		}
	case *image.NRGBA64:
		if data[kindByte] == greyKind { // cut at 255, as grey values of 16 bits without a key
			return func(x, y int) (r, g, b uint8) {
				v := uint8(min(m.NRGBA64At(x+from.X, y+from.Y).R, 255))
				return v, v, v
			}
		}
	}
	return at
}

// emptyEntry returns the only entry of a palette that is wholly transparent, if all others cover.
func emptyEntry(palette color.Palette) (empty color.NRGBA, one bool) {
	for _, c := range palette {
		n, is := c.(color.NRGBA)
		if !is || n.A == 255 {
			continue
		}
		if n.A != 0 || one {
			return color.NRGBA{}, false
		}
		empty, one = n, true
	}
	return empty, one
}
