package models

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/hub/fault"
	"inglenook/ui/uitest"
)

// A large model that fits into memory and writes slower than people read says so, in its row and on
// its page; without a connection the page tells what the size lets expect.
func TestSlowHere(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Failing = fault.New(fault.ErrUnreachable, nil, "hub.test cannot be reached")
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Idle()
	for _, c := range []struct {
		pace       fit.Pace
		mark, page string
		slow       bool
	}{
		{0, "600 MB · fits in memory", "It should fit into memory: it takes about 720 MB of memory; 4.3 GB are free.", false},
		{12e9, "600 MB · fits in memory", "By its size it writes about 15 words a second here.", false},
		{6e8, "600 MB · slow here", "it writes about 0.8 words a second, slower than people read", true},
	} {
		b.models.pace = c.pace
		b.models.fill()
		pickModel(t, b, "Talker 1B")
		b.Loop.Until(t, "an answer", func() bool { return b.models.page.asking == "" })
		if got := b.models.items[b.models.list.Current].mark(); got != c.mark {
			t.Errorf("at %v its row says %q, want %q", c.pace, got, c.mark)
		}
		if text := pageText(b); !strings.Contains(text, c.page) || !strings.Contains(text, notAsked) || strings.Contains(text, "Slow on this computer") != c.slow {
			t.Errorf("at %v its page says\n%s", c.pace, text)
		}
	}
	pickModel(t, b, "Giant 70B")
	if text := pageText(b); !strings.Contains(text, "Probably too large") {
		t.Errorf("of a giant the page says\n%s", text)
	}
}

// The filters are out of the way until a person wants them, and those that are set are counted.
func TestFiltersFold(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	turnTo(b, tabDiscover)
	b.Idle()
	f := b.models.filter
	if f.choices.Visible() || f.fold.Text != "Filters" {
		t.Errorf("at first they are shown: %v, %q", f.choices.Visible(), f.fold.Text)
	}
	test.Tap(f.fold)
	f.tasks.SetSelectedIndex(1)
	f.fits.SetChecked(true)
	if !f.choices.Visible() || f.fold.Text != "Filters · 2" || slices.Contains(modelNames(b), "Other") {
		t.Errorf("shown: %v, %q, listed are %v", f.choices.Visible(), f.fold.Text, modelNames(b))
	}
	test.Tap(f.fold)
	if f.choices.Visible() || slices.Contains(modelNames(b), "Other") {
		t.Error("folded filters are shown, or do not filter any more")
	}
	f.fits.SetChecked(false)
	f.tasks.SetSelectedIndex(0)
	if f.fold.Text != "Filters" || !slices.Contains(modelNames(b), "Other") {
		t.Errorf("without filters: %q, listed are %v", f.fold.Text, modelNames(b))
	}
}

// The page of a model whose download waits can try again at once.
func TestTryNowFromThePage(t *testing.T) {
	d := uitest.NewApp()
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/talker-GGUF"}); err != nil {
		t.Fatal(err)
	}
	d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State = downloads.DownloadWaiting })
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the models", func() bool { return !b.models.suggesting })
	pickModel(t, b, "Talker 1B")
	test.Tap(pageButton(b, "Try now"))
	b.Loop.Until(t, "another try", func() bool {
		d.Mu.Lock()
		defer d.Mu.Unlock()
		did := strings.Join(d.Hub.Did, " ")
		return strings.Contains(did, "pause org/talker-GGUF") && strings.Contains(did, "resume org/talker-GGUF")
	})
}
