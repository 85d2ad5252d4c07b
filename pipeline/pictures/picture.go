// Package pictures makes of the bytes of a PNG or JPEG file the numbers that a model of
// pictures reads: it decodes, turns, scales and cuts as the reference library does with PIL.
package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"runtime/debug"
)

// maxPixels bounds what is decoded: at most about 16 bytes of memory for each.
const maxPixels = 25_000_000

// maxInkPixels bounds pictures in cyan, magenta, yellow and black that are stored in passes: the decoder
// takes 24 bytes for each of their pixels.
const maxInkPixels = maxPixels * 2 / 3

// largePixels is how many make a picture so large that no two of them are to be in memory.
const largePixels = 2_000_000

// MaxBytes bounds a file.
const MaxBytes = 100 << 20

// picture is a decoded file, turned as its Exif data say.
type picture struct {
	width, height int
	at            func(x, y int) (r, g, b uint8)
}

// large lets one large picture be in memory at a time.
var large = make(chan struct{}, 1)

// enter waits until no other large picture is in memory. leave gives the memory of the picture back
// to the system, where nothing refers to it any more.
func enter(ctx context.Context, pixels int) (leave func(), err error) {
	if pixels <= largePixels {
		return func() {}, ctx.Err()
	}
	select {
	case large <- struct{}{}:
		return func() {
			debug.FreeOSMemory()
			<-large
		}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// decode reads a file. done is to be called when the picture is no longer used, if there is no error.
func decode(ctx context.Context, data []byte) (p picture, done func(), err error) {
	read, config, what := formatOf(data)
	if read == nil {
		return picture{}, nil, unread(data)
	}
	c, err := config(bytes.NewReader(data))
	if err != nil {
		return picture{}, nil, fmt.Errorf("it is no %s file that can be read (%w); save it anew", what, err)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return picture{}, nil, errors.New("it has no pixels; choose another picture")
	}
	if c.ColorModel == color.CMYKModel && what == "JPEG" && c.Width > maxInkPixels/c.Height && progressive(data) {
		return picture{}, nil, fmt.Errorf("it has %d × %d pixels in the colours of a printer, stored in passes, and more than %d million of these are not read; save it in RGB, or make it smaller", c.Width, c.Height, maxInkPixels/1_000_000)
	}
	if c.Width > maxPixels/c.Height {
		return picture{}, nil, fmt.Errorf("it has %d × %d pixels, and more than %d million are not read; make it smaller", c.Width, c.Height, maxPixels/1_000_000)
	}
	leave, err := enter(ctx, c.Width*c.Height)
	if err != nil {
		return picture{}, nil, err
	}
	defer func() {
		if err != nil {
			leave()
		}
	}()
	m, err := read(heeding{ctx, bytes.NewReader(data)})
	if ctx.Err() != nil {
		return picture{}, nil, ctx.Err()
	}
	if err != nil {
		return picture{}, nil, fmt.Errorf("it is no %s file that can be read (%w); save it anew", what, err)
	}
	size := m.Bounds().Size()
	at := colours(m)
	if what == "PNG" {
		at = whitened(data, m, at)
	}
	return picture{size.X, size.Y, at}.turned(orientation(data)), leave, nil
}

type (
	reader       = func(io.Reader) (image.Image, error)
	configReader = func(io.Reader) (image.Config, error)
)

// heeding is a reader that ends with its context.
type heeding struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (h heeding) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.r.Read(p[:min(len(p), 1<<14)])
}

// formatOf tells a format by its first bytes.
func formatOf(data []byte) (reader, configReader, string) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return png.Decode, png.DecodeConfig, "PNG"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return jpeg.Decode, jpeg.DecodeConfig, "JPEG"
	}
	return nil, nil, ""
}

// unread says that a file is not in one of the formats that are read, and what it is if that is known.
func unread(data []byte) error {
	for _, f := range []struct {
		at          int
		mark, named string
	}{{0, "GIF8", "a GIF"}, {8, "WEBP", "a WebP"}, {0, "II*\x00", "a TIFF"}, {0, "MM\x00*", "a TIFF"}, {4, "ftypavif", "an AVIF"}, {4, "ftypheic", "a HEIC"}, {4, "ftypmif1", "a HEIC"}} {
		if len(data) > f.at && bytes.HasPrefix(data[f.at:], []byte(f.mark)) {
			return fmt.Errorf("it is %s picture, and only PNG and JPEG files are read; convert it to one of these", f.named)
		}
	}
	return errors.New("it is neither a PNG nor a JPEG file; convert it to one of these")
}

// colours returns how the colours of a decoded picture are read, without how much each pixel
// covers: as PIL's convert("RGB") does.
func colours(m image.Image) func(x, y int) (r, g, b uint8) {
	from := m.Bounds().Min
	switch m := m.(type) {
	case *image.YCbCr:
		return smoothChroma(m)
	case *image.Gray16: // PIL cuts grey values of 16 bits at 255
		return func(x, y int) (r, g, b uint8) {
			v := uint8(min(m.Gray16At(x+from.X, y+from.Y).Y, 255))
			return v, v, v
		}
	case *image.NRGBA64:
		return func(x, y int) (r, g, b uint8) {
			c := m.NRGBA64At(x+from.X, y+from.Y)
			return uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8)
		}
	case *image.Paletted:
		table := make([]color.NRGBA, 256)
		for i, c := range m.Palette {
			table[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
			if n, is := c.(color.NRGBA); is {
				table[i] = n
			}
		}
		return func(x, y int) (r, g, b uint8) {
			c := table[m.ColorIndexAt(x+from.X, y+from.Y)]
			return c.R, c.G, c.B
		}
	case *image.NRGBA:
		return func(x, y int) (r, g, b uint8) {
			c := m.NRGBAAt(x+from.X, y+from.Y)
			return c.R, c.G, c.B
		}
	}
	return func(x, y int) (r, g, b uint8) {
		c := color.NRGBAModel.Convert(m.At(x+from.X, y+from.Y)).(color.NRGBA)
		return c.R, c.G, c.B
	}
}

// turned returns the picture as its orientation (1 to 8, as in Exif) says that it is seen.
func (p picture) turned(orientation int) picture {
	w, h, at := p.width-1, p.height-1, p.at
	if orientation >= 5 {
		p.width, p.height = p.height, p.width
	}
	switch orientation {
	case 2:
		p.at = func(x, y int) (r, g, b uint8) { return at(w-x, y) }
	case 3:
		p.at = func(x, y int) (r, g, b uint8) { return at(w-x, h-y) }
	case 4:
		p.at = func(x, y int) (r, g, b uint8) { return at(x, h-y) }
	case 5:
		p.at = func(x, y int) (r, g, b uint8) { return at(y, x) }
	case 6:
		p.at = func(x, y int) (r, g, b uint8) { return at(y, h-x) }
	case 7:
		p.at = func(x, y int) (r, g, b uint8) { return at(w-y, h-x) }
	case 8:
		p.at = func(x, y int) (r, g, b uint8) { return at(w-y, x) }
	}
	return p
}
