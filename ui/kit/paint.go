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

// Drawn is a picture of so many points of height, without a window.
func Drawn(sheet fyne.CanvasObject, height float32) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(PictureScale)
	c.Resize(fyne.NewSize(PictureWidth, height)) // before it has content, which would wrap in a narrow one
	c.SetContent(sheet)
	return c.Capture()
}

// A Piece makes a part of a large picture. The window does not answer while one is drawn,
// so each is small.
type Piece func() fyne.CanvasObject

// Draw draws the piece, [PictureWidth] wide and as high as it needs.
func (p Piece) Draw() image.Image {
	sheet := p()
	sheet.Resize(fyne.NewSize(PictureWidth, 1)) // words wrap, which makes it higher
	return Drawn(sheet, sheet.MinSize().Height)
}

// Under puts pictures under each other.
func Under(parts []image.Image) image.Image {
	var size image.Point
	for _, m := range parts {
		size.X = max(size.X, m.Bounds().Dx())
		size.Y += m.Bounds().Dy()
	}
	all := image.NewNRGBA(image.Rectangle{Max: size})
	top := 0
	for _, m := range parts {
		at := image.Rectangle{Min: image.Pt(0, top), Max: image.Pt(m.Bounds().Dx(), top+m.Bounds().Dy())}
		if part, ok := m.(*image.NRGBA); ok && part.Stride == all.Stride && part.Bounds().Min == (image.Point{}) {
			copy(all.Pix[top*all.Stride:], part.Pix)
		} else {
			draw.Draw(all, at, m, m.Bounds().Min, draw.Src)
		}
		top = at.Max.Y
	}
	return all
}
