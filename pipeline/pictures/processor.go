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
	Shorter   int // pixels of the shorter side
	Size      int // pixels of either side of the middle that is read
	Mean, Std [3]float32
}

// The mean and the deviation of the colours that CLIP was trained with.
var (
	clipMean = [3]float32{0.48145466, 0.4578275, 0.40821073}
	clipStd  = [3]float32{0.26862954, 0.26130258, 0.27577711}
)

// Open reads preprocessor_config.json. size is the side of the pictures that the model reads;
// without the file they become that as CLIP's do.
func Open(folder fs.FS, size int) (Processor, error) {
	const name = "preprocessor_config.json"
	p := Processor{Shorter: size, Size: size, Mean: clipMean, Std: clipStd}
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
	for _, step := range []*bool{c.DoResize, c.DoCrop, c.DoRescale, c.DoNormalize} {
		if step != nil && !*step {
			return p, fmt.Errorf("%s leaves out a step of CLIP's, which is not supported; choose a checkpoint that scales, cuts and normalizes", name)
		}
	}
	if c.Resample != nil && *c.Resample != 3 {
		return p, fmt.Errorf("%s: the way %d to scale is not supported (only 3, bicubic)", name, *c.Resample)
	}
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
	if err := side(c.Size, &p.Shorter); err != nil {
		return p, fmt.Errorf("%s: size: %w", name, err)
	}
	if err := side(c.Crop, &p.Size); err != nil {
		return p, fmt.Errorf("%s: crop_size: %w", name, err)
	}
	if p.Size != size || p.Shorter < size || p.Shorter > 4*size {
		return p, fmt.Errorf("%s asks for %d pixels of %d, but the model reads %d; get the checkpoint again", name, p.Size, p.Shorter, size)
	}
	return p, nil
}

// side reads a number of pixels: alone, as the shorter side, or as two that are equal.
func side(data json.RawMessage, to *int) error {
	if data == nil {
		return nil
	}
	if json.Unmarshal(data, to) == nil {
		return nil
	}
	var s struct {
		Shortest      *int `json:"shortest_edge"`
		Height, Width *int
	}
	err := json.Unmarshal(data, &s)
	switch {
	case err == nil && s.Shortest != nil:
		*to = *s.Shortest
	case err == nil && s.Height != nil && s.Width != nil && *s.Height == *s.Width:
		*to = *s.Height
	default:
		return errors.New("only a side or a square is supported")
	}
	return nil
}

// Read makes of a file the numbers that a model reads: red, green and blue, each [Size, Size]
// row by row.
func (p Processor) Read(ctx context.Context, data []byte) ([]float32, error) {
	m, err := decode(ctx, data)
	if err != nil {
		return nil, err
	}
	width, height := p.Shorter, p.Shorter
	if m.width > m.height {
		width = p.Shorter * m.width / m.height
	} else {
		height = p.Shorter * m.height / m.width
	}
	rgb, err := m.scaled(ctx, width, height, (width-p.Size)/2, (height-p.Size)/2, p.Size, p.Size)
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
