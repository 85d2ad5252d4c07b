package pictures

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"testing"
)

// Thumbnails keep the shape of a picture as it is seen, and one that is small keeps its pixels.
func TestSmall(t *testing.T) {
	for name, want := range map[string]image.Point{"1x1.png": {1, 1}, "3x5.png": {3, 5}, "200x1.png": {48, 1}, "4000x30.png": {48, 1}, "7x300.png": {1, 48}} {
		m, err := Small(t.Context(), load(t, "testdata/"+name), 48)
		if err != nil || m.Bounds().Size() != want {
			t.Errorf("%s: %v (%v)", name, m.Bounds(), err)
		}
	}
	for _, name := range files(t) {
		data := load(t, name)
		m, err := Small(t.Context(), data, 48)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, done, err := decode(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		done()
		if p.width > 48 || p.height > 48 {
			continue
		}
		for y := range p.height {
			for x := range p.width {
				r, g, b := p.at(x, y)
				if c := m.NRGBAAt(x, y); c.R != r || c.G != g || c.B != b || c.A != 255 {
					t.Fatalf("%s: pixel %d, %d is %v", name, x, y, c)
				}
			}
		}
	}
	if _, err := Small(t.Context(), []byte("GIF89a"), 48); err == nil {
		t.Error("a GIF file has a thumbnail")
	}
}

// A large picture waits until another one is out of memory, as long as its context lasts, and makes
// room in its turn, whatever becomes of it; small ones do not wait.
func TestLargePicturesTakeTurns(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 2000, largePixels/2000+1))); err != nil {
		t.Fatal(err)
	}
	cut := file.Bytes()[:file.Len()/2]
	large <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Small(ctx, file.Bytes(), 48); !errors.Is(err, context.Canceled) {
		t.Errorf("while another one is in memory: %v", err)
	}
	if _, err := Small(t.Context(), load(t, "testdata/wide.png"), 48); err != nil {
		t.Errorf("a small picture: %v", err)
	}
	<-large
	for range 2 {
		if _, err := Small(t.Context(), file.Bytes(), 48); err != nil {
			t.Error(err)
		}
		if _, err := plain.Read(t.Context(), file.Bytes()); err != nil {
			t.Error(err)
		}
		if _, err := Small(t.Context(), cut, 48); err == nil {
			t.Error("half a picture is read")
		}
	}
}
