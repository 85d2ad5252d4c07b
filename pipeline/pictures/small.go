package pictures

import (
	"context"
	"image"
)

// Small returns a picture as it is seen, with at most so many pixels on its longer side. A
// smaller picture keeps its size.
func Small(ctx context.Context, data []byte, most int) (*image.NRGBA, error) {
	m, done, err := decode(ctx, data)
	if err != nil {
		return nil, err
	}
	defer done()
	width, height := m.width, m.height
	if longer := max(width, height); longer > most {
		width, height = max(1, width*most/longer), max(1, height*most/longer)
	}
	rgb, err := m.scaled(ctx, bicubic, width, height, 0, 0, width, height)
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		copy(out.Pix[4*i:], rgb[3*i:3*i+3])
		out.Pix[4*i+3] = 0xff
	}
	return out, nil
}
