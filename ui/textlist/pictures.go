package textlist

import (
	"context"
	"image"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Picture is a picture among the texts of a list.
type Picture struct {
	Path  string
	Small image.Image
}

// PictureReader reads files with pictures.
type PictureReader interface {
	Thumbnail(ctx context.Context, path string) (image.Image, error)
}

// thumbSide is the height of a thumbnail in a row, and its width at most.
const thumbSide float32 = 26

// kind names what an item is, at the beginning of a sentence.
func (it item) kind() string {
	if it.picture != nil {
		return "Picture"
	}
	return "Text"
}

// pictured are new items for pictures.
func (t *Texts) pictured(pictures []Picture) []item {
	names := make([]string, len(pictures))
	for i, p := range pictures {
		names[i] = filepath.Base(p.Path)
	}
	items := t.fresh(names)
	for i := range items {
		items[i].picture = &pictures[i]
	}
	return items
}

// Pictures returns of each item its picture, nil where it is a text.
func (t *Texts) Pictures() []*Picture {
	list := make([]*Picture, len(t.items))
	for i, it := range t.items {
		list[i] = it.picture
	}
	return list
}

// Seen reports whether any item is a picture.
func (t *Texts) Seen() bool {
	return slices.ContainsFunc(t.items, func(it item) bool { return it.picture != nil })
}

// kind names what is on the list: "picture" where there is nothing else, and "text".
func (t *Texts) kind() string {
	if t.Seen() && !slices.ContainsFunc(t.items, func(it item) bool { return it.picture == nil }) {
		return "picture"
	}
	return "text"
}

// Written returns the texts without the pictures.
func (t *Texts) Written() []string {
	lines := []string{}
	for _, it := range t.items {
		if it.picture == nil {
			lines = append(lines, it.text)
		}
	}
	return lines
}

// Sent are the texts that another room can have, with where they came from.
func (t *Texts) Sent() (list []panel.Sent) {
	for _, it := range t.items {
		if it.picture == nil {
			list = append(list, panel.Sent{Text: it.text, From: it.from.Source()})
		}
	}
	return list
}

// TakePictures lets pictures onto the list.
func (l *List) TakePictures(r PictureReader) {
	l.pictures = r
	l.empty.Say("No texts yet", "Type or paste below, or drop a text file or pictures here.")
	l.refresh() // that shows it, whatever the list holds
}

// readPicture reads a file if it is a picture of the list.
func (l *List) readPicture(ctx context.Context, path string) (p Picture, is bool, err error) {
	if l.pictures == nil || !texts.IsPicture(path) {
		return p, false, nil
	}
	small, err := l.pictures.Thumbnail(ctx, path)
	return Picture{path, small}, true, err
}

// addRead appends what files held: texts and pictures. The first of them is selected: there a person begins to read.
func (l *List) addRead(lines []string, from []texts.Origin, pictures []Picture) {
	first := 0
	for _, items := range [][]item{l.texts.from(lines, from), l.texts.pictured(pictures)} {
		if len(items) == 0 {
			continue
		}
		what, samples := count(len(items)), l.texts.Sampled()
		if items[0].picture != nil {
			what = kit.Count(len(items), "picture")
		}
		l.texts.add(items, what)
		l.edited(len(items) > 1 || samples)
		if first == 0 {
			first = items[0].id
		}
	}
	if first != 0 {
		l.Pick(first)
	}
}

// NewThumb returns a place for a thumbnail in a row.
func NewThumb() *canvas.Image {
	thumb := canvas.NewImageFromImage(nil)
	thumb.FillMode = canvas.ImageFillContain
	thumb.Hide()
	return thumb
}

// SetThumb shows a picture in such a place of a row, or hides it; nil: there is none.
func SetThumb(thumb *canvas.Image, small image.Image, row *fyne.Container) {
	was := thumb.Visible()
	if thumb.Image = small; small == nil {
		thumb.Hide()
	} else {
		thumb.Show()
		thumb.Refresh()
	}
	if was != thumb.Visible() {
		row.Refresh()
	}
}

// PlaceThumb places a visible thumbnail at the left edge of a line of text, and returns how far
// it moves the text.
func PlaceThumb(thumb *canvas.Image, left, middle float32) float32 {
	if !thumb.Visible() {
		return 0
	}
	thumb.Move(fyne.NewPos(left, middle-thumbSide/2))
	thumb.Resize(fyne.NewSize(thumbSide, thumbSide))
	return thumbSide + kit.GapSmall
}

// Own are the texts of a person; none where samples are among them.
func (t *Texts) Own() []string {
	if t.Sampled() {
		return nil
	}
	return t.Written()
}
