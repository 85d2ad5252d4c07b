package typeset

import (
	"image"
	"math"

	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"

	"inglenook/formula"
)

// maxPixels bounds a picture.
const maxPixels = 16 << 20

// Draw draws what a piece has in one colour into a picture of a size in pixels, with its baseline
// so many pixels below the upper edge, and so many pixels to a unit. Lines lie on whole pixels.
func (p *Piece) Draw(ink formula.Color, width, height int, left, baseline, scale float64) *image.Alpha {
	if width <= 0 || height <= 0 || width*height > maxPixels {
		return image.NewAlpha(image.Rect(0, 0, 1, 1))
	}
	picture := image.NewAlpha(image.Rect(0, 0, width, height))
	r := vector.NewRasterizer(width, height)
	pen := &pen{r: r}
	for _, d := range p.draws {
		if d.ink != ink {
			continue
		}
		pen.x, pen.y = left+d.x*scale, baseline-d.y*scale
		switch {
		case d.rule:
			pen.area(d.dx*scale, d.dy*scale)
		case d.stroke > 0:
			pen.line(d.dx*scale, -d.dy*scale, math.Max(1, d.stroke*scale))
		default:
			pen.glyph(d.font.Outline(d.glyph), d.scale*scale)
		}
	}
	r.Draw(picture, picture.Bounds(), image.Opaque, image.Point{})
	return picture
}

// pen adds shapes to what is filled, from a point on. All go around in the same direction.
type pen struct {
	r    *vector.Rasterizer
	x, y float64
}

// glyph adds the outline of a glyph.
func (p *pen) glyph(outline []opentype.Segment, scale float64) {
	at := func(q opentype.SegmentPoint) (float32, float32) {
		return float32(p.x + float64(q.X)*scale), float32(p.y - float64(q.Y)*scale)
	}
	open := false
	for _, s := range outline {
		a := s.Args
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if open {
				p.r.ClosePath()
			}
			p.r.MoveTo(at(a[0]))
			open = true
		case opentype.SegmentOpLineTo:
			p.r.LineTo(at(a[0]))
		case opentype.SegmentOpQuadTo:
			x0, y0 := at(a[0])
			x1, y1 := at(a[1])
			p.r.QuadTo(x0, y0, x1, y1)
		case opentype.SegmentOpCubeTo:
			x0, y0 := at(a[0])
			x1, y1 := at(a[1])
			x2, y2 := at(a[2])
			p.r.CubeTo(x0, y0, x1, y1, x2, y2)
		}
	}
	if open {
		p.r.ClosePath()
	}
}

// area adds a rectangle from the point upwards, on whole pixels where it is thin.
func (p *pen) area(width, height float64) {
	x0, x1, y0, y1 := p.x, p.x+width, p.y-height, p.y
	if height < width {
		thick := math.Max(1, math.Round(height))
		y0 = math.Round((y0+y1)/2 - thick/2)
		y1 = y0 + thick
	} else {
		thick := math.Max(1, math.Round(width))
		x0 = math.Round((x0+x1)/2 - thick/2)
		x1 = x0 + thick
	}
	p.polygon(x0, y1, x1, y1, x1, y0, x0, y0)
}

// line adds a line of a thickness from the point on.
func (p *pen) line(dx, dy, thick float64) {
	long := math.Hypot(dx, dy)
	if long == 0 {
		return
	}
	nx, ny := -dy/long*thick/2, dx/long*thick/2
	p.polygon(p.x+nx, p.y+ny, p.x+dx+nx, p.y+dy+ny, p.x+dx-nx, p.y+dy-ny, p.x-nx, p.y-ny)
}

// polygon adds an area with four corners, counter-clockwise as seen.
func (p *pen) polygon(c ...float64) {
	p.r.MoveTo(float32(c[0]), float32(c[1]))
	for i := 2; i < len(c); i += 2 {
		p.r.LineTo(float32(c[i]), float32(c[i+1]))
	}
	p.r.ClosePath()
}
