package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// transformer is a text-to-text model.
func transformer() chat.ModelChoice {
	return chat.ModelChoice{
		Model: library.Model{ID: "org/transformer", Name: "org/transformer", Source: library.SourceHubCache, Kind: library.KindTask, Usable: true, Parameters: 247_600_000},
		Fits:  fit.FitsWell, NeedsBytes: 1 << 30, FreeBytes: 8 << 30,
	}
}

// transforming leaves the window a text-to-text model alone.
func (b *bench) transforming(t *testing.T) {
	t.Helper()
	b.conversations.SetModels([]chat.ModelChoice{transformer()})
	b.chat.ModelsChanged()
	b.Loop.Until(t, "the text-to-text model", func() bool { return b.chat.blank.filled == transforms })
	b.Idle()
	b.chat.ShowError(nil) // the notice of the model that is gone
}

// The first page of a text-to-text model says that messages are answered one by one, and each
// task that it offers begins a message.
func TestTasksOfATextToTextModel(t *testing.T) {
	b, p := chatting(t)
	b.transforming(t)
	if shown := uitest.AllText(p.blank.view); !strings.Contains(shown, "Each message is answered by itself") || !strings.Contains(shown, "Summarize a text") {
		t.Errorf("the first page: %q", shown)
	}
	if label := p.describeModel(transformer().Model); !strings.Contains(label, "one text at a time") {
		t.Errorf("the model is described as %q", label)
	}
	for i, want := range tasks {
		test.Tap(p.blank.examples.Objects[i].(*fyne.Container).Objects[0].(*kit.Chip))
		if got := p.composer.entry.Text; got != want.begins {
			t.Errorf("%s begins %q", want.name, got)
		}
	}
	b.say(t, "one two")
	if said := p.said(); !strings.HasPrefix(said, "question: \ncontext: one two|") {
		t.Errorf("the chat is %q", said)
	}
}

// A model that converses is chosen before one that does not, wherever they stand in the list.
func TestTransformersComeLater(t *testing.T) {
	_, p := chatting(t)
	p.session.models = append([]chat.ModelChoice{transformer()}, p.models...)
	if id := p.likelyModel(); id != "org/talker" {
		t.Errorf("%s is chosen", id)
	}
}
