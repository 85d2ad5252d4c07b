package models_test

import (
	"os"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/weights"
)

// CLIP's vectors and states of pictures are those of the reference library, for several
// pictures together and for each alone.
func TestPictures(t *testing.T) {
	const dir = "testdata/heads/clip"
	var want struct {
		Pictures struct{ Pixels, Hidden, Pooled []float32 }
	}
	readJSON(t, dir+"/expected.json", &want)
	set, err := weights.Open(os.DirFS(dir), weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	config, err := configOf(dir, set)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.LoadPictures(config, set)
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Config(); c.Picture != 16 || c.Hidden != 24 || c.Width != 20 || c.MaxTokens != 5 {
		t.Errorf("it is %+v", c)
	}
	p, one := want.Pictures, len(want.Pictures.Pixels)/2
	for name, b := range backends(t) {
		both := models.Batch{Pixels: p.Pixels, Starts: []int32{0, 1, 2}}
		if d := difference(run(t, b, m, both, models.Pooled), p.Pooled); !(d < 1e-4) {
			t.Errorf("%s: the vectors differ by %.2g", name, d)
		}
		if d := difference(run(t, b, m, both, models.Hidden), p.Hidden); !(d < 1e-4) {
			t.Errorf("%s: the states differ by %.2g", name, d)
		}
		second := run(t, b, m, models.Batch{Pixels: p.Pixels[one:], Starts: []int32{0, 1}}, models.Pooled)
		if d := difference(second, p.Pooled[20:]); !(d < 1e-4) {
			t.Errorf("%s: alone, the second picture's vector differs by %.2g", name, d)
		}
	}
	g := engine.NewGraph()
	defer g.Close()
	m.Forward(g, models.Batch{Pixels: p.Pixels[1:], Starts: []int32{0, 1, 2}}, models.Pooled)
	if err := g.Err(); err == nil || !strings.Contains(err.Error(), "values instead of 1536") {
		t.Error(err)
	}
}

// Towers for pictures alone, and SigLIP's, give the reference library's states and vectors, of
// two pictures together and of one.
func TestTowersOfPictures(t *testing.T) {
	for _, name := range []string{"clip-vision", "clip-vision-states", "siglip", "siglip-vision"} {
		dir := "testdata/pictures/" + name
		var want struct {
			Width                  int
			Pixels, Hidden, Pooled []float32
		}
		readJSON(t, dir+"/expected.json", &want)
		set, err := weights.Open(os.DirFS(dir), weights.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		config, err := configOf(dir, set)
		if err != nil {
			t.Fatal(err)
		}
		load := models.Load
		if !config.PicturesOnly {
			load = models.LoadPictures
		}
		m, err := load(config, set)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c := m.Config(); c.PicturesOnly != (name != "siglip") || c.Picture != 20 || max(c.Width, 24*(1-min(1, c.Width))) != want.Width {
			t.Errorf("%s: it is %+v", name, c)
		}
		one := len(want.Pixels) / 2
		for backend, b := range backends(t) {
			both := models.Batch{Pixels: want.Pixels, Starts: []int32{0, 1, 2}}
			if d := difference(run(t, b, m, both, models.Pooled), want.Pooled); !(d < 1e-4) {
				t.Errorf("%s, %s: the vectors differ by %.2g", name, backend, d)
			}
			if d := difference(run(t, b, m, both, models.Hidden), want.Hidden); !(d < 1e-4) {
				t.Errorf("%s, %s: the states differ by %.2g", name, backend, d)
			}
			second := run(t, b, m, models.Batch{Pixels: want.Pixels[one:], Starts: []int32{0, 1}}, models.Pooled)
			if d := difference(second, want.Pooled[want.Width:]); !(d < 1e-4) {
				t.Errorf("%s, %s: alone, the second picture's vector differs by %.2g", name, backend, d)
			}
		}
	}
}

func TestNoPictures(t *testing.T) {
	const dir = "testdata/heads/clip-text"
	set, err := weights.Open(os.DirFS(dir), weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	config, err := configOf(dir, set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := models.LoadPictures(config, set); err == nil || !strings.Contains(err.Error(), "reads no pictures") {
		t.Error(err)
	}
}
