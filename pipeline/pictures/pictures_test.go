package pictures

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

// plain leaves pixels as they are, from 0 to 1.
var plain = Processor{Shorter: 24, Size: 24, Std: [3]float32{1, 1, 1}}

// files returns the pictures of testdata.
func files(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/*.[pj][np]g")
	if err != nil || len(all) < 35 {
		t.Fatalf("%d pictures, %v", len(all), err)
	}
	return all
}

func load(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Odd pictures have PIL's pixels: those of PNG files exactly, those of JPEG files as far as two
// decoders agree.
func TestPixelsAreThoseOfPIL(t *testing.T) {
	for _, name := range files(t) {
		got, err := plain.Read(t.Context(), load(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := load(t, name+".rgb")
		var dot, a, b, worst float64
		for c := range 3 {
			for i := range 24 * 24 {
				x, y := float64(got[c*24*24+i])*255-128, float64(want[3*i+c])-128
				dot, a, b, worst = dot+x*y, a+x*x, b+y*y, max(worst, math.Abs(x-y))
			}
		}
		cosine := dot / math.Sqrt(a*b)
		if strings.HasSuffix(name, ".png") && worst > 1e-3 || worst > 4 || !(cosine > 0.9999) {
			t.Errorf("%s: cosine %.6f, and up to %.2f of 255 levels away", name, cosine, worst)
		}
	}
}

// Pictures that become squares whatever their shape have PIL's pixels by its other filter. PIL 13
// scales the rows first where that is less work, so a value may be a level of 255 away.
func TestSquares(t *testing.T) {
	square := Processor{Shorter: 24, Size: 24, Square: true, Linear: true, Std: [3]float32{1, 1, 1}}
	wanted, err := filepath.Glob("testdata/*.square")
	if err != nil || len(wanted) < 8 {
		t.Fatalf("%d squares, %v", len(wanted), err)
	}
	for _, file := range wanted {
		got, err := square.Read(t.Context(), load(t, strings.TrimSuffix(file, ".square")))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range load(t, file) {
			if x := float64(got[i%3*24*24+i/3]) * 255; math.Abs(x-float64(want)) > 1.001 {
				t.Fatalf("%s: value %d is %v instead of %d", file, i, x, want)
			}
		}
	}
}

// A file that ends early is an error of one line, or its pixels, and never a panic.
func TestTruncatedPictures(t *testing.T) {
	for _, name := range files(t) {
		data := load(t, name)
		refused := 0
		for n := 0; n < len(data); n += 1 + len(data)/40 {
			if _, err := plain.Read(t.Context(), data[:n]); err != nil {
				refused++
				if strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("%s cut at %d: %q", name, n, err)
				}
			}
		}
		if refused < 10 {
			t.Errorf("%s: only %d cuts are refused", name, refused)
		}
	}
}

// A picture that would take too much memory is refused before it is decoded.
func TestHugePicture(t *testing.T) {
	head := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	head = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(head, 30_000), 30_000)
	head = append(head, 8, 2, 0, 0, 0)
	head = binary.BigEndian.AppendUint32(head, crc32.ChecksumIEEE(head[12:]))
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := plain.Read(t.Context(), head); err == nil || !strings.Contains(err.Error(), "30000 × 30000 pixels") {
			t.Errorf("%v", err)
		}
	})
	if allocated > 1000 {
		t.Errorf("%v allocations", allocated)
	}
}

// A JPEG of four colours in passes takes half as much memory again; one that is not in passes is read.
func TestHugeInks(t *testing.T) {
	head := func(marker byte) []byte {
		h := []byte{0xff, 0xd8, 0xff, marker, 0, 20, 8}
		h = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(h, 4000), 6000)
		h = append(h, 4)
		for c := range 4 {
			h = append(h, byte(c+1), 0x11, 0)
		}
		return append(h, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0) // here the pixels would begin
	}
	for marker, refused := range map[byte]bool{0xc0: false, 0xc2: true} {
		_, err := plain.Read(t.Context(), head(marker))
		if err == nil || strings.Contains(err.Error(), "colours of a printer") != refused {
			t.Errorf("%x: %v", marker, err)
		}
	}
}

func TestOtherFiles(t *testing.T) {
	const neither = "neither a PNG nor a JPEG"
	for data, say := range map[string]string{
		"": neither, "text": neither, "\xff\xd8": neither, "GIF": neither, "RIFF....WAVE": neither,
		"GIF89a": "a GIF picture, and only PNG and JPEG files are read; convert it", "RIFF....WEBPVP8 ": "a WebP picture",
		"II*\x00": "a TIFF picture", "\x00\x00\x00 ftypheic": "a HEIC picture", "\x00\x00\x00 ftypavif": "an AVIF picture",
	} {
		if _, err := plain.Read(t.Context(), []byte(data)); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := plain.Read(ctx, load(t, "testdata/wide.png")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The processor is that of preprocessor_config.json in its old and new spellings, or refused.
func TestOpen(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		`{"size":224,"crop_size":224,"resample":3,"image_mean":[0.5,0.5,0.5],"image_std":[0.5,0.5,0.5]}`:                                   "",
		`{"size":{"shortest_edge":256},"crop_size":{"height":224,"width":224},"rescale_factor":0.00392156862745098,"do_center_crop":true}`: "",
		`{"size":336,"crop_size":336}`:        "the model reads 224",
		`{"size":{"height":100,"width":224}}`: "only a side or a square",
		`{"resample":2}`:                      "",
		`{"resample":1}`:                      "only 2, bilinear, and 3, bicubic",
		`{"do_center_crop":false}`:            "neither scales to a square nor cuts",
		`{"do_center_crop":false,"size":{"height":224,"width":224}}`: "",
		`{"do_resize":false}`:   "leaves out a step",
		`{"rescale_factor":1}`:  "only 1/255",
		`{"image_std":[0,1,1]}`: "nothing can be divided",
		`{"size":0}`:            "asks for 224 pixels of 0",
		`{"size":{"shortest_edge":2000000000},"crop_size":"224"}`: "only a side or a square",
	} {
		folder := fstest.MapFS{}
		if text != "" {
			folder["preprocessor_config.json"] = &fstest.MapFile{Data: []byte(text)}
		}
		p, err := Open(folder, CLIP(224))
		if want == "" && (err != nil || p.Size != 224) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range files(f) {
		if data := load(f, name); len(data) < 3000 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if config, _, _ := formatOf(data); config == nil && bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) {
			t.Error("a PNG is not recognized")
		}
		pixels, err := plain.Read(t.Context(), data)
		if err == nil && len(pixels) != 3*24*24 {
			t.Errorf("%d values", len(pixels))
		}
		for _, x := range pixels {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("a pixel is %v", x)
			}
		}
	})
}

// watched is a context that notes the largest heap at the times it is asked whether it has ended.
type watched struct {
	context.Context
	most uint64
}

// Err implements context.Context.
func (w *watched) Err() error {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	w.most = max(w.most, m.HeapAlloc)
	return w.Context.Err()
}

// Several large pictures take the memory of one: what is left of a picture is gone before the next
// one is decoded. Without the collector's own rounds, nothing else frees it.
func TestLargePicturesOneByOne(t *testing.T) {
	const width, height = 2000, 1500
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio444)
	for i := range m.Y {
		m.Y[i] = uint8(i * i >> 3)
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, m, nil); err != nil {
		t.Fatal(err)
	}
	m = nil
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	most := func(pictures int) uint64 {
		w := &watched{Context: t.Context()}
		for range pictures {
			if _, err := plain.Read(w, file.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
		return w.most
	}
	one, four := most(1), most(4)
	if one < width*height || four > one+width*height {
		t.Errorf("one picture takes %d bytes, four of them %d", one, four)
	}
}
