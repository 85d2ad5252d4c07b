package pictures

import (
	"image"
	"image/color"
)

// smoothChroma returns how the colours of a JPEG are read. Where it stores colours at half the
// width or height, they are made wider by a triangle filter with libjpeg's rounding, which PIL
// uses, so that edges look alike.
func smoothChroma(m *image.YCbCr) func(x, y int) (r, g, b uint8) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	var chroma func(plane []uint8, x, y int) uint8
	if half := m.SubsampleRatio == image.YCbCrSubsampleRatio420 || m.SubsampleRatio == image.YCbCrSubsampleRatio422; half && w <= 4 {
		return asStored(m) // libjpeg has no room for the filter
	}
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio420:
		chroma = func(plane []uint8, x, y int) uint8 {
			row := func(cx int) int {
				near, far := pair(y, (h+1)/2)
				return 3*int(plane[near*m.CStride+cx]) + int(plane[far*m.CStride+cx])
			}
			near, far := pair(x, (w+1)/2)
			return uint8((3*row(near) + row(far) + 8 - x%2) >> 4)
		}
	case image.YCbCrSubsampleRatio422:
		chroma = func(plane []uint8, x, y int) uint8 {
			near, far := pair(x, (w+1)/2)
			line := plane[y*m.CStride:]
			return uint8((3*int(line[near]) + int(line[far]) + 1 + x%2) >> 2)
		}
	case image.YCbCrSubsampleRatio440:
		chroma = func(plane []uint8, x, y int) uint8 {
			near, far := pair(y, (h+1)/2)
			return uint8((3*int(plane[near*m.CStride+x]) + int(plane[far*m.CStride+x]) + 1 + y%2) >> 2)
		}
	default:
		return asStored(m)
	}
	return func(x, y int) (r, g, b uint8) {
		return color.YCbCrToRGB(m.Y[y*m.YStride+x], chroma(m.Cb, x, y), chroma(m.Cr, x, y))
	}
}

// asStored returns how colours are read that are not smoothed.
func asStored(m *image.YCbCr) func(x, y int) (r, g, b uint8) {
	from := m.Rect.Min
	return func(x, y int) (r, g, b uint8) {
		c := m.YCbCrAt(x+from.X, y+from.Y)
		return color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
	}
}

// pair returns which two of n stored values make the value at x of twice as many: the nearer
// and the farther one.
func pair(x, n int) (near, far int) {
	near = x / 2
	if x%2 == 0 {
		return near, max(near-1, 0)
	}
	return near, min(near+1, n-1)
}
