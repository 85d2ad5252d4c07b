package ui

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/plain"
	"inglenook/ui/glyphs"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// hostileTexts are texts as files, servers and arguments may hold them.
var hostileTexts = map[string]string{
	"long":     strings.Repeat("A", 200_000),
	"controls": "\x1b[2J\x1b]0;title\x07\u009b31m\x7f" + strings.Repeat("\x00", 1000),
	"reversed": "model\u202efdp.exe" + strings.Repeat("\u2066\u202d", 500),
	"lines":    strings.Repeat("a\nb\r\n\u2028\u0085", 2000),
	"broken":   strings.Repeat("\xff\xfe\x80", 2000),
	"accents":  strings.Repeat("e"+strings.Repeat("\u0301", 1000), 3),
	"rare":     strings.Repeat("\U000F0001\U000F0002\U00010FFF", 500),
}

// filled is a window whose every text from outside is s: names and reasons of models,
// answers of the Hub, conversations, documents, errors and what the program was
// started with.
func filled(t *testing.T, s string) *bench {
	t.Helper()
	const id = "org/hostile"
	d := uitest.NewApp()
	odd := library.Model{
		ID: id, Name: s, Source: library.SourceHubCache, Path: "/models/" + s, Kind: library.KindEmbedding, Architecture: s, Format: s, DType: s, Usable: true, Dimension: 26,
		Prompts: map[string]string{s: s}, DefaultPrompt: s, Files: []library.ModelFile{{Path: s, Bytes: 1}},
	}
	unusable := odd
	unusable.ID, unusable.Usable, unusable.Reason = "org/unusable", false, s
	d.Offered = append(d.Offered, odd, unusable)
	d.Warnings = []string{s}
	d.Hub.Licences = map[string]string{id: s, "org/unusable": s}
	d.Hub.Found = []downloads.Found{{ID: "org/" + s, Task: s, Licence: s, Formats: []string{s}}, {ID: id, Task: s, Licence: s}}
	preview := downloads.Preview{
		ID: id, Revision: s, Commit: s, Task: s, Licence: s, Unread: s,
		Variants: []downloads.Variant{{Name: s, Format: "gguf", Why: s, Fits: fit.FitsWell, Files: []downloads.PreviewFile{{Path: s, Why: s, Fetched: true}, {Path: s, Why: s}}}},
		Compat:   fit.Compat{Model: s, Architecture: s, Devices: []fit.CompatDevice{{Device: "cpu", Verdict: fit.VerdictNo, Reason: s}}},
	}
	d.Hub.Previews = map[string]downloads.Preview{id: preview, "org/" + s: preview}
	for _, name := range []string{id, "org/" + s} {
		if err := d.StartDownload(context.Background(), downloads.DownloadRequest{ID: name}); err != nil {
			t.Fatal(err)
		}
		d.SetDownload(name, func(x *downloads.Download) { x.State, x.Why = downloads.DownloadFailed, s })
	}
	d.Hub.Bad = downloads.Verification{Bad: []downloads.FileCheck{{Path: s}}}
	d.Kept.Chat.Talk = "odd"
	d.Kept.Network = base.Network{Endpoint: s, Proxy: s}
	d.Kept.Rerank = base.RerankSettings{Query: s, Texts: []string{s, s + s}, Models: []string{id, "/models/judge"}, Questions: []base.KeptQuestion{{Text: s, Right: []int{0, 7, -1}}}}
	d.Kept.Classify = base.ClassifySettings{Model: "/models/names", Labels: s + ", tea", Texts: []string{s, s + s}}
	d.Offered = append(d.Offered, library.Model{ID: "/models/names", Name: s, Kind: library.KindEncoder, Classifies: "entities", Usable: true})
	d.Classified.Then = func(r *texts.ClassifyResult) {
		r.Notes, r.Notices, r.Model.Name = []string{s}, []string{s}, s
		for i := range r.Entities {
			r.Entities[i] = slices.Repeat([]texts.Entity{{Label: s, End: 1}}, 500)
		}
	}
	d.Ranked.Change = func(r *texts.RerankResult) {
		r.Untrusted, r.Pooling, r.Notes, r.Notices = s, s, []string{s}, []string{s}
	}

	papers := scripted.NewDocuments()
	papers.Put(s, map[string]string{"/papers/" + s + ".txt": "boat " + s})
	papers.LeftOut = []documents.File{{Path: "/papers/" + s, State: "failed", Reason: s, Title: s, Format: s, Notes: []string{s}}}
	source, err := json.Marshal(chat.Source{Collection: s, Path: s, Title: s, Heading: s, End: 1})
	if err != nil {
		t.Fatal(err)
	}
	passage := chat.Part{Kind: chat.PartPassage, Name: s, Text: s, Data: source}
	claims := []chat.Claim{{End: 3, Passage: 0}, {Start: 3, End: 5, Passage: -1, Why: s}, {Start: -1, End: 1 << 40, Passage: 1 << 40}}
	choices, err := json.Marshal(chat.Choices{Collection: s})
	if err != nil {
		t.Fatal(err)
	}

	conversations := scripted.New()
	conversations.Asking.Documents = papers
	conversations.Warnings = []string{s}
	conversations.SetModels([]chat.ModelChoice{
		{Model: library.Model{ID: "org/talker", Name: s, Kind: library.KindChat, Source: library.SourceHubCache, Usable: true}, Fits: fit.FitsTight, Why: s},
		{Model: library.Model{ID: "org/giant", Name: s, Kind: library.KindChat, Source: library.SourceHubCache, Usable: true}, Fits: fit.FitsNot, Why: s},
	})
	conversations.Put(chat.Conversation{
		Summary: chat.Summary{ID: "odd", Title: s, Titled: true, Updated: time.Now()}, System: s, Settings: choices, Leaf: 2,
		Messages: []chat.Message{
			{ID: 1, Role: chat.RoleUser, Parts: []chat.Part{passage, {Kind: chat.PartPassage, Name: s, Text: s, Data: []byte(s)}, chat.Text(s), chat.File(s, s), {Kind: s, Name: s}}},
			{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: []chat.Part{chat.Text(s)}, Thinking: s, Reply: &chat.ReplyRecord{Claims: claims, Model: s, ModelName: s, Device: s, Error: s, Stop: s, Reason: s, Notices: []string{s}}},
		},
	})
	a := test.NewTempApp(t)
	l := &uitest.Loop{}
	shell := newShell(a, d, Stores{Chats: conversations, Documents: papers, Server: scripted.NewServer(t.TempDir())}, l.Do)
	shell.attach(a.NewWindow("test"))
	shell.window.Resize(fyne.NewSize(firstWidth, firstHeight))
	t.Cleanup(func() {
		shell.quit()
		shell.busy.Wait()
	})
	return &bench{shell, d, l}
}

// settle runs what comes until no work is under way and nothing has come ten times in turn.
// It counts, and does not look at the clock: on a busy machine a single pause can last long.
func (b *bench) settle() {
	for still := 0; still < 10; time.Sleep(2 * time.Millisecond) {
		still++
		if busy := working(); b.loop.Run() || busy {
			still = 0
		}
	}
}

// working reports whether a goroutine of a wait group runs, as all work of the window does. The watch
// of a collection does not count: it lasts as long as the window.
func working() bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(stack, "created by sync.(*WaitGroup).Go") && !strings.Contains(stack, "scripted.(*Documents).Watch(") {
			return true
		}
	}
	return false
}

// checkDrawn reports every text that is laid out and is long, drives a terminal,
// turns its line around or is no text at all. What a person edits is theirs.
func checkDrawn(t *testing.T, where string, o fyne.CanvasObject) (texts int) {
	t.Helper()
	check := func(text string, most int) {
		texts++
		if n := utf8.RuneCountInString(text); n > most {
			t.Errorf("%s: %d characters are laid out: %.60q", where, n, text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return plain.Drives(r) && r != '\n' && r != '\t' }); i >= 0 || !utf8.ValidString(text) {
			t.Errorf("%s: drawn is %.80q", where, text[max(0, i-20):])
		}
	}
	switch o := o.(type) {
	case *canvas.Text:
		check(o.Text, 500)
	case *fyne.Container:
		for _, one := range o.Objects {
			texts += checkDrawn(t, where, one)
		}
	case *kit.Entry:
	case *widget.RichText:
		check(o.String(), 12_100)
	case fyne.Widget:
		for _, one := range test.WidgetRenderer(o).Objects() {
			texts += checkDrawn(t, where, one)
		}
	}
	return texts
}

// TestHostileWindow fills every panel with texts of any length and content, here with
// all kinds in one.
func TestHostileWindow(t *testing.T) {
	all := ""
	for _, kind := range slices.Sorted(maps.Keys(hostileTexts)) {
		all += plain.First(hostileTexts[kind], 700)
	}
	hostileWindow(t, map[string]string{"long": hostileTexts["long"], "all": all})
}

func hostileWindow(t *testing.T, texts map[string]string) {
	glyphs.Know(nil)
	defer glyphs.Forget()
	for kind, s := range texts {
		t.Run(kind, func(t *testing.T) {
			b := filled(t, s)
			b.start(Options{Model: s})
			b.settle()
			b.forward(s) // as a second start does
			b.settle()
			for _, p := range b.panels {
				id := p.Info().ID
				b.enter(id)
				p.ShowError(errors.New(s))
				b.settle()
				if n := checkDrawn(t, id, p.Content()); n < 5 {
					t.Errorf("%s: only %d texts are drawn", id, n)
				}
			}
			b.enter(panel.Rerank)
			b.rerank.Rank(s, []string{s, s + s, "a text"})
			b.loop.Until(t, "a ranking", func() bool {
				return strings.Contains(uitest.AllText(b.rerank.Content()), "Do not rely on these scores")
			})
			checkDrawn(t, "a ranking", b.rerank.Content())
			b.enter(panel.Similarity)
			for _, model := range []string{"/models/names", "starter-embed"} {
				b.similarity.Classify(model)
				b.settle()
				before := len(b.double.Classifications())
				b.keys.Typed(uitest.Ctrl(fyne.KeyReturn))
				b.settle()
				if len(b.double.Classifications()) == before {
					t.Errorf("nothing is classified by %s", model)
				}
				checkDrawn(t, "labels", b.similarity.Content())
			}
			b.models.Discover()
			b.settle()
			b.status.showMessage(s)
			checkDrawn(t, "status", b.view)
		})
	}
}
