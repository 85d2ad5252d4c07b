package similarity

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// clip is a model that reads pictures.
var clip = library.Model{ID: "org/clip", Name: "clip", Source: library.SourceFolder, Kind: library.KindEmbedding, Usable: true, Dimension: 26, Pictures: true}

// Dropped pictures stand among the texts. A model for texts alone says what is needed; one that
// reads pictures gets their paths, and the results show them.
func TestPicturesBesideTexts(t *testing.T) {
	d := uitest.NewApp()
	d.Offered = append(d.Offered, clip)
	d.Kept.SimilarityTexts = []string{"a fire in winter", "snow on the hills"}
	b := opened(t, d)
	p := b.panel
	p.Drop(panel.Dropped{Files: []string{"/photos/hearth.png", "/photos/Lake.JPG"}})
	b.Loop.Until(t, "pictures", func() bool { return p.texts.Len() == 4 })
	if !p.compare.Disabled() || !strings.Contains(p.stale.Message(), "reads texts alone. Choose a model for pictures and texts") || p.stale.Act.Text != "Use clip" {
		t.Errorf("the button is off: %v; it says %q", p.compare.Disabled(), p.stale.Message())
	}
	if kept := d.Settings().SimilarityTexts; len(kept) != 2 {
		t.Errorf("kept for the next start: %q", kept)
	}
	test.Tap(p.stale.Act)
	b.Loop.Until(t, "a result with pictures", func() bool { return p.running == nil && p.result != nil && p.result.Pictures != nil })
	asked := d.Requests()[len(d.Requests())-1]
	if want := []string{"", "", "/photos/hearth.png", "/photos/Lake.JPG"}; !slices.Equal(asked.Pictures, want) || asked.Texts[2] != "hearth.png" || asked.Model != clip.ID {
		t.Errorf("asked for %+v", asked)
	}
	if p.results.small[0] != nil || p.results.small[2] == nil || !strings.HasPrefix(p.facts.Segment.Text, "2 texts and 2 pictures in ") {
		t.Errorf("thumbnails %v; %q", p.results.small, p.facts.Segment.Text)
	}
	p.selectResult(3)
	if got := p.results.near.title.Text; got != "Nearest to picture 4" || !p.results.near.seen.Visible() {
		t.Errorf("%q, the picture is in view: %v", got, p.results.near.seen.Visible())
	}
	p.selectResult(0)
	if p.results.near.seen.Visible() {
		t.Error("a text has a picture")
	}
	alone := clip
	alone.Kind = library.KindPictures
	if !p.blind(alone) || !strings.Contains(blindText(alone), "or delete the texts") || p.blind(clip) {
		t.Error("a model for pictures alone is offered texts")
	}
	p.list.Show(p.resultIDs[2])
	p.list.Undo()
	if p.texts.Len() != 2 || p.pictures() != nil {
		t.Errorf("%d items are left, %v", p.texts.Len(), p.pictures())
	}
}

// A file that is no picture is refused, and the others are added.
func TestBrokenPicture(t *testing.T) {
	d := uitest.NewApp()
	b := opened(t, d)
	d.Mu.Lock()
	d.Failing = errors.New("hearth.png cannot be used: it is no PNG file that can be read; save it anew")
	d.Mu.Unlock()
	b.panel.Drop(panel.Dropped{Files: []string{"/photos/hearth.png"}})
	b.Loop.Until(t, "a failure", func() bool { return strings.Contains(b.panel.Failure(), "cannot be used") })
	if b.panel.texts.Seen() {
		t.Error("the picture was added")
	}
}
