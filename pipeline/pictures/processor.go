package pictures

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/pipeline/smallfile"
)

// Processor is how a checkpoint wants pictures: scaled until the shorter side has so many
// pixels, the middle cut out, and each colour made ready.
type Processor struct {
	Shorter   int  // pixels of the shorter side
	Size      int  // pixels of either side of the middle that is read
	Square    bool // scaled to Size × Size whatever the shape, and nothing cut
	Linear    bool // scaled by a triangle, not bicubic
	Mean, Std [3]float32
}

// SigLIP is how its models want pictures of a size.
func SigLIP(size int) Processor {
	half := [3]float32{0.5, 0.5, 0.5}
	return Processor{Shorter: size, Size: size, Square: true, Mean: half, Std: half}
}

// CLIP is how its models want pictures of a size.
func CLIP(size int) Processor {
	return Processor{Shorter: size, Size: size, Mean: clipMean, Std: clipStd}
}

// The mean and the deviation of the colours that CLIP was trained with.
var (
	clipMean = [3]float32{0.48145466, 0.4578275, 0.40821073}
	clipStd  = [3]float32{0.26862954, 0.26130258, 0.27577711}
)

// Open reads preprocessor_config.json. p is what the model's family wants, of the size that the
// model reads; it holds for what the file does not say.
func Open(folder fs.FS, p Processor) (Processor, error) {
	const name = "preprocessor_config.json"
	size := p.Size
	var c struct {
		Size        json.RawMessage
		Crop        json.RawMessage `json:"crop_size"`
		Resample    *int
		Mean        *[3]float32 `json:"image_mean"`
		Std         *[3]float32 `json:"image_std"`
		Rescale     *float64    `json:"rescale_factor"`
		DoResize    *bool       `json:"do_resize"`
		DoCrop      *bool       `json:"do_center_crop"`
		DoRescale   *bool       `json:"do_rescale"`
		DoNormalize *bool       `json:"do_normalize"`
	}
	found, err := smallfile.JSON(folder, name, &c)
	if err != nil || !found {
		return p, err
	}
	for _, step := range []*bool{c.DoResize, c.DoRescale, c.DoNormalize} {
		if step != nil && !*step {
			return p, fmt.Errorf("%s leaves out a step of the family's, which is not supported; choose a checkpoint that scales, cuts and normalizes", name)
		}
	}
	if c.Resample != nil && *c.Resample != 2 && *c.Resample != 3 {
		return p, fmt.Errorf("%s: the way %d to scale is not supported (only 2, bilinear, and 3, bicubic)", name, *c.Resample)
	}
	p.Linear = c.Resample != nil && *c.Resample == 2
	if c.Rescale != nil && (*c.Rescale < 0.00392 || *c.Rescale > 0.003923) {
		return p, fmt.Errorf("%s: rescale_factor is %v; only 1/255 is supported", name, *c.Rescale)
	}
	if c.Mean != nil {
		p.Mean = *c.Mean
	}
	if c.Std != nil {
		p.Std = *c.Std
	}
	for _, s := range p.Std {
		if !(s > 1e-6) {
			return p, fmt.Errorf("%s: image_std holds %v, by which nothing can be divided", name, s)
		}
	}
	square, err := side(c.Size, &p.Shorter)
	if err != nil {
		return p, fmt.Errorf("%s: size: %w", name, err)
	}
	if _, err := side(c.Crop, &p.Size); err != nil {
		return p, fmt.Errorf("%s: crop_size: %w", name, err)
	}
	p.Square = square || p.Square && c.Size == nil
	if !p.Square && c.DoCrop != nil && !*c.DoCrop {
		return p, fmt.Errorf("%s neither scales to a square nor cuts one out, which is not supported; choose a checkpoint that does", name)
	}
	if p.Size != size || p.Shorter < size || p.Shorter > 4*size {
		return p, fmt.Errorf("%s asks for %d pixels of %d, but the model reads %d; get the checkpoint again", name, p.Size, p.Shorter, size)
	}
	return p, nil
}

// side reads a number of pixels: alone, as the shorter side, or as two that are equal, which
// square reports.
func side(data json.RawMessage, to *int) (square bool, err error) {
	if data == nil {
		return false, nil
	}
	if json.Unmarshal(data, to) == nil {
		return false, nil
	}
	var s struct {
		Shortest      *int `json:"shortest_edge"`
		Height, Width *int
	}
	err = json.Unmarshal(data, &s)
	switch {
	case err == nil && s.Shortest != nil:
		*to = *s.Shortest
	case err == nil && s.Height != nil && s.Width != nil && *s.Height == *s.Width:
		*to = *s.Height
		return true, nil
	default:
		return false, errors.New("only a side or a square is supported")
	}
	return false, nil
}

// Read makes of a file the numbers that a model reads: red, green and blue, each [Size, Size]
// row by row.
func (p Processor) Read(ctx context.Context, data []byte) ([]float32, error) {
	m, done, err := decode(ctx, data)
	if err != nil {
		return nil, err
	}
	defer done()
	width, height, by := p.Shorter, p.Shorter, bicubic
	if p.Linear {
		by = bilinear
	}
	switch {
	case p.Square: // the shape is lost, as in the reference library
	case m.width > m.height:
		width = p.Shorter * m.width / m.height
	default:
		height = p.Shorter * m.height / m.width
	}
	rgb, err := m.scaled(ctx, by, width, height, (width-p.Size)/2, (height-p.Size)/2, p.Size, p.Size)
	if err != nil {
		return nil, err
	}
	n := p.Size * p.Size
	out := make([]float32, 3*n)
	for c := range 3 {
		for i := range n {
			out[c*n+i] = (float32(rgb[3*i+c])/255 - p.Mean[c]) / p.Std[c]
		}
	}
	return out, nil
}
