package kit

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
)

// discCover is how much of a pixel a disc covers whose centre lies dx and dy
// pixels away.
func discCover(radius, dx, dy float64) float64 {
	return min(1, max(0, radius+0.5-math.Hypot(dx, dy)))
}

// FillDisc draws a smooth disc over what is there.
func FillDisc(m *image.NRGBA, x, y, radius float64, c color.NRGBA) {
	reach := radius + 1
	area := image.Rect(int(x-reach), int(y-reach), int(x+reach)+1, int(y+reach)+1).Intersect(m.Bounds())
	for py := area.Min.Y; py < area.Max.Y; py++ {
		for px := area.Min.X; px < area.Max.X; px++ {
			cover := discCover(radius, float64(px)+0.5-x, float64(py)+0.5-y) * float64(c.A) / 255
			if cover > 0 {
				m.SetNRGBA(px, py, over(m.NRGBAAt(px, py), c, cover))
			}
		}
	}
}

// over lays c, with the given cover, over what is there.
func over(under, c color.NRGBA, cover float64) color.NRGBA {
	below := float64(under.A) / 255 * (1 - cover)
	alpha := cover + below
	blend := func(a, b uint8) uint8 { return uint8((float64(a)*below+float64(b)*cover)/alpha + 0.5) }
	return color.NRGBA{R: blend(under.R, c.R), G: blend(under.G, c.G), B: blend(under.B, c.B), A: uint8(alpha*255 + 0.5)}
}

// FillRounded fills r with c; corners of the given radius are smoothed.
func FillRounded(m *image.NRGBA, r image.Rectangle, radius int, c color.NRGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		dy := max(r.Min.Y+radius-y-1, y-(r.Max.Y-radius), -1)
		at := m.PixOffset(r.Min.X, y)
		for x := r.Min.X; x < r.Max.X; x++ {
			alpha := c.A
			if dx := max(r.Min.X+radius-x-1, x-(r.Max.X-radius), -1); dx >= 0 && dy >= 0 {
				alpha = uint8(float64(c.A) * discCover(float64(radius), float64(dx)+0.5, float64(dy)+0.5))
			}
			m.Pix[at], m.Pix[at+1], m.Pix[at+2], m.Pix[at+3] = c.R, c.G, c.B, alpha
			at += 4
		}
	}
}

const PictureScale float32 = 2

const PictureWidth float32 = 1180

// drawn is a picture of that size in points, without a window.
func drawn(sheet fyne.CanvasObject, size fyne.Size) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(PictureScale)
	c.Resize(size) // before it has content, which would wrap in a narrow one
	c.SetContent(sheet)
	return c.Capture()
}

// A Piece draws a part of a large picture. The window does not answer while one is drawn,
// so each is small.
type Piece func() image.Image

// Wide is a piece [PictureWidth] wide and as high as it needs.
func Wide(sheet func() fyne.CanvasObject) Piece {
	return func() image.Image {
		o := sheet()
		o.Resize(fyne.NewSize(PictureWidth, 1)) // words wrap, which makes it higher
		return drawn(o, fyne.NewSize(PictureWidth, o.MinSize().Height))
	}
}

// Sized is a piece of that size.
func Sized(size fyne.Size, sheet func() fyne.CanvasObject) Piece {
	return func() image.Image { return drawn(sheet(), size) }
}

// Under puts pictures under each other.
func Under(parts []image.Image) image.Image {
	return joined(parts, func(size image.Point) image.Point { return image.Pt(0, size.Y) })
}

// Beside puts pictures beside each other.
func Beside(parts []image.Image) image.Image {
	return joined(parts, func(size image.Point) image.Point { return image.Pt(size.X, 0) })
}

// joined puts pictures together; step is how far the next one lies from one of that size.
func joined(parts []image.Image, step func(size image.Point) image.Point) image.Image {
	places := make([]image.Rectangle, len(parts))
	var at, size image.Point
	for i, m := range parts {
		places[i] = image.Rectangle{Min: at, Max: at.Add(m.Bounds().Size())}
		size = image.Pt(max(size.X, places[i].Max.X), max(size.Y, places[i].Max.Y))
		at = at.Add(step(m.Bounds().Size()))
	}
	all := image.NewNRGBA(image.Rectangle{Max: size})
	for i, m := range parts {
		if part, ok := m.(*image.NRGBA); ok && part.Stride == all.Stride && part.Bounds().Min == (image.Point{}) {
			copy(all.Pix[places[i].Min.Y*all.Stride:], part.Pix)
		} else {
			draw.Draw(all, places[i], m, m.Bounds().Min, draw.Src)
		}
	}
	return all
}
