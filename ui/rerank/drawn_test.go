package rerank

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// drawn is the picture that is saved.
func drawn(r *results) image.Image {
	var parts []image.Image
	for _, piece := range r.pieces() {
		parts = append(parts, piece())
	}
	return kit.Under(parts)
}

// A saves answers the dialog with a file of the test.
type saves struct {
	kit.FileDialogs
	t   *testing.T
	dir string
}

func (s saves) Save(name string, chosen func(fyne.URIWriteCloser)) {
	w, err := storage.Writer(storage.NewFileURI(filepath.Join(s.dir, name)))
	if err != nil {
		s.t.Fatal(err)
	}
	chosen(w)
}

// A picture of many texts is drawn in small parts, between which the window answers; Escape
// ends it, and leaves no file.
func TestPictureInParts(t *testing.T) {
	const texts = 45
	var lines []string
	for i := range texts {
		lines = append(lines, fmt.Sprintf("text %d", i*17%texts))
	}
	b := entered(t, uitest.NewApp(), "cat", lines...)
	b.ranked(t)
	dir := t.TempDir()
	b.panel.Files = func() kit.FileDialogs { return saves{t: t, dir: dir} }
	name := filepath.Join(dir, "ranking.png")

	turn := func() bool {
		b.Busy.Wait()
		return b.Loop.Run()
	}
	b.panel.savePNG()
	for range 3 {
		turn()
	}
	b.panel.Escape()
	b.Idle()
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("a picture that was stopped leaves a file: %v", err)
	}

	b.panel.savePNG()
	turns := 0
	for turn() {
		turns++
	}
	if turns < mostDrawn/pieceRows {
		t.Errorf("the window had a turn %d times while %d rows were drawn", turns, mostDrawn)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if least := int(kit.PictureScale * oneLine * mostDrawn); m.Bounds().Dy() < least || m.Bounds().Dx() != int(kit.PictureScale*kit.PictureWidth) {
		t.Errorf("the picture is %v", m.Bounds())
	}
}
