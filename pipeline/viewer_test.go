package pipeline

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// clipFolder is a CLIP model of random weights with both halves.
const clipFolder = "../models/testdata/heads/clip"

// A viewer gives each picture the vector that a single pass does, however many there are, and in
// their order; a file that is no picture is named by its number.
func TestViewer(t *testing.T) {
	ctx := context.Background()
	v, err := OpenViewer(ctx, os.DirFS(clipFolder), oneThread(t), ViewerOptions{Prove: true})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	f, err := OpenForward(ctx, os.DirFS(clipFolder), oneThread(t), ForwardOptions{Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names := []string{"wide.png", "grey.png", "wide.png"}
	read := func(_ context.Context, i int) ([]byte, error) { return os.ReadFile("pictures/testdata/" + names[i]) }
	v.enc.budget = 2 * v.enc.config.MaxTokens // two pictures in a pass
	var steps []int
	got, err := v.Embed(ctx, len(names), read, func(done, _ int) { steps = append(steps, done) })
	if err != nil || len(got.Vectors) != 3 || !slices.Equal(steps, []int{2, 3}) || got.Device != "cpu" || got.Tokens[1] != 5 {
		t.Fatalf("%d vectors after %v on %s, %v (%v)", len(got.Vectors), steps, got.Device, got.Tokens, err)
	}
	for i, vector := range got.Vectors {
		data, err := read(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		one, err := f.Run(ctx, ForwardInput{Image: data}, "pooled")
		if d := farthest(vector, one.Data); err != nil || !(d < 1e-5) {
			t.Errorf("%s is %v away from its vector alone (%v)", names[i], d, err)
		}
	}
	if d := farthest(got.Vectors[0], got.Vectors[1]); !(d > 1e-3) {
		t.Errorf("two pictures differ by %v", d)
	}
	var bad *PictureError
	_, err = v.Embed(ctx, 2, func(ctx context.Context, i int) ([]byte, error) {
		if i == 1 {
			return []byte("GIF89a"), nil
		}
		return read(ctx, i)
	}, nil)
	if !errors.As(err, &bad) || bad.Index != 1 || !strings.Contains(err.Error(), "picture 2 cannot be used: it is a GIF picture") {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := v.Embed(ended, 1, read, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := v.Embed(ctx, 0, read, nil); err == nil {
		t.Error("no picture has a vector")
	}
}

// Models without a half for pictures say so, and descriptions tell which have one.
func TestWhoReadsPictures(t *testing.T) {
	words, _, _ := clipWords(t)
	if _, err := OpenViewer(context.Background(), words, oneThread(t), ViewerOptions{}); err == nil || !strings.Contains(err.Error(), "reads no pictures") {
		t.Error(err)
	}
	both := fstest.MapFS{"tokenizer.json": words["tokenizer.json"]}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile(clipFolder + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		both[name] = &fstest.MapFile{Data: data}
	}
	for want, files := range map[bool]fstest.MapFS{false: words, true: both} {
		if d, err := Describe(files, ""); err != nil || d.Pictures != want || !d.Supported {
			t.Errorf("%v: it is %+v (%v)", want, d, err)
		}
	}
}

// A model that reads pictures alone is described so, gives their vectors, and says so where texts
// or token ids are given.
func TestPicturesOnly(t *testing.T) {
	ctx := context.Background()
	picture, err := os.ReadFile("pictures/testdata/wide.png")
	if err != nil {
		t.Fatal(err)
	}
	for name, width := range map[string]int{"clip-vision": 20, "siglip": 24, "siglip-vision": 24} {
		folder := os.DirFS("../models/testdata/pictures/" + name)
		kind := "pictures"
		if name == "siglip" {
			kind = "embedding" // it reads texts as well
		}
		if d, err := Describe(folder, ""); err != nil || !d.Supported || d.Kind != kind || !d.Pictures || d.Dimension != width {
			t.Errorf("%s: it is %+v (%v)", name, d, err)
		}
		v, err := OpenViewer(ctx, folder, oneThread(t), ViewerOptions{Prove: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := v.Embed(ctx, 1, func(context.Context, int) ([]byte, error) { return picture, nil }, nil)
		if err != nil || len(got.Vectors[0]) != width {
			t.Errorf("%s: %v (%v)", name, got.Vectors, err)
		}
		if siglip := name != "clip-vision"; v.look.Square != siglip || (v.look.Mean[0] == 0.5) != siglip {
			t.Errorf("%s: pictures become %+v", name, v.look)
		}
		v.Close()
		if kind != "pictures" {
			continue
		}
		if _, err := OpenEmbedder(ctx, folder, oneThread(t), EmbedderOptions{}); err == nil || !strings.Contains(err.Error(), "reads pictures and no texts here") {
			t.Errorf("%s: %v", name, err)
		}
		f, err := OpenForward(ctx, folder, oneThread(t), ForwardOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Run(ctx, ForwardInput{IDs: []int32{1}}, ""); err == nil || !strings.Contains(err.Error(), "no token ids; give one with --image") {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}
