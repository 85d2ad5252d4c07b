package rerank

import (
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// In a narrow window each text says its place and score by both models, and no part without room is drawn.
func TestNarrowPictureOfTwoModels(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.panel.beside(true)
	out := b.ranked(t)
	row := b.panel.results.picture.newRow()
	b.panel.results.picture.fill(0, row)
	row.Resize(fyne.NewSize(500, rowHeight))
	parts := row.(*fyne.Container).Objects
	for i, o := range parts {
		if o.Visible() && o.Size().Width < 8 {
			t.Errorf("part %d has a width of %v", i, o.Size().Width)
		}
	}
	text := out.rankings[1].Ranking[0].Index
	want := "3rd by starter-embed, score " + scoreText(out.rankings[0].Scores()[text], 1)
	if first := parts[rowFirst].(*kit.Line); !first.Visible() || first.Text != want {
		t.Errorf("below the text stands %q, not %q", first.Text, want)
	}
}

// What has changed since is said whole, and a bar is not called an answer where meanings were compared.
func TestWordsOfARanking(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	if got := b.panel.results.scale.Text; got != "A longer bar: closer in meaning." {
		t.Errorf("bars of an embedding model: %q", got)
	}
	b.panel.field.SetText("dog")
	b.panel.list.Add([]string{"a bird"})
	if got := b.panel.stale.Message(); got != "Question and texts have changed since this was sorted." {
		t.Errorf("stale: %q", got)
	}
	b.panel.beside(true)
	b.ranked(t)
	if got := b.panel.results.scale.Text; got != "A longer bar: a better answer." {
		t.Errorf("bars of a reranker: %q", got)
	}
}
