package sources

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/prose"
	"inglenook/ui/uitest"
)

const answer = "Boats float. Stones fly."

// noted are the notes to an answer of two sentences, of which a passage supports the first,
// and what they open.
func noted(t *testing.T) (n *Notes, opened *[]string) {
	t.Helper()
	uitest.LightApp(t)
	opened = &[]string{}
	claims := []chat.Claim{
		{Start: 0, End: 12, Passage: 1, BestStart: 5, BestEnd: 17},
		{Start: 13, End: 24, Passage: -1, Why: "“fly” is not in the passages"},
		{Start: 13, End: 24, Passage: 7}, // of a passage that is gone
	}
	n = NewNotes(answer, claims, []chat.Part{passage(1, "Stones sink."), passage(2, "Now, boats float.")}, NotesHost{
		Keys: &kit.Keyboard{}, Tip: kit.NewTip(func(f func()) { f() }), Grown: func() {},
		Open: func(p chat.Part, sentence string) { *opened = append(*opened, p.Text+"|"+sentence) },
	})
	return n, opened
}

func TestNotes(t *testing.T) {
	n, opened := noted(t)
	if got := uitest.AllText(n.View); !strings.Contains(got, "[2] boats.pdf, page 2") || strings.Contains(got, "[1]") || !strings.Contains(got, "▸ 2 sentences were not found in your documents") {
		t.Errorf("shown is %q", got)
	}
	b, ok := uitest.Find(n.View, func(b *kit.TextButton) bool { return strings.HasPrefix(b.Line.Text, "[2]") })
	if !ok {
		t.Fatal("there is no source")
	}
	test.Tap(b)
	if n.Follow("https://example.org") || n.Follow("support:9") || n.Follow("support:1") || !n.Follow("support:0") {
		t.Error("the wrong references are followed")
	}
	if want := "Now, boats float.|boats float."; len(*opened) != 2 || (*opened)[0] != want || (*opened)[1] != want {
		t.Errorf("opened are %q", *opened)
	}
	if n.reasons.Visible() {
		t.Error("the reasons are shown before they are asked for")
	}
	if !n.Follow("doubt:1") || !n.reasons.Visible() {
		t.Error("the reasons are not shown")
	}
	if got := uitest.AllText(n.reasons); !strings.Contains(got, "“Stones fly.” “fly” is not in the passages.") || !strings.Contains(got, "No passage says this.") {
		t.Errorf("the reasons are %q", got)
	}
	test.Tap(n.head)
	if n.reasons.Visible() || !strings.HasPrefix(n.head.Line.Text, "▸") {
		t.Error("the reasons do not fold away")
	}
	for over, want := range map[string]string{
		"": "", "support:0": "boats.pdf, page 2: “… boats float.”", "support:1": "", "support:-1": "", "support:x": "",
		prose.Doubted: "Not found in your documents", "doubt:1": "Not found in your documents. “fly” is not in the passages.", "doubt:8": "",
	} {
		if got := n.Explain(over); got != want {
			t.Errorf("%q: %q", over, got)
		}
	}
}

func TestMarks(t *testing.T) {
	marks := Marks([]chat.Claim{{Start: 0, End: 4, Passage: 0}, {Start: 5, End: 9, Passage: -1}, {Start: 10, End: 12, Passage: 3}}, 2)
	if len(marks) != 3 || marks[0].Doubted || marks[0].Refs[0].Label != "1" || !marks[1].Doubted || !marks[2].Doubted || marks[2].Refs[0].Label != "?" {
		t.Errorf("marks are %+v", marks)
	}
}

// Claims of an imported conversation may say anything.
func TestHostileClaims(t *testing.T) {
	uitest.LightApp(t)
	odd := []chat.Claim{
		{Start: -5, End: 3, Passage: -7},
		{Start: 9, End: 2, Passage: 1 << 40},
		{Start: 0, End: 1 << 40, Passage: -1, Why: "\x1b[2J" + strings.Repeat("A", 100_000)},
		{Start: 0, End: 3, Passage: 0, BestStart: -1, BestEnd: 1 << 40},
	}
	n := NewNotes("Hi.", odd, []chat.Part{{Kind: chat.PartPassage}}, NotesHost{Keys: &kit.Keyboard{}, Tip: kit.NewTip(func(f func()) { f() }), Grown: func() {}, Open: func(chat.Part, string) {}})
	n.toggle()
	if got := uitest.AllText(n.View); strings.ContainsRune(got, '\x1b') || len(got) > 40_000 || !strings.Contains(got, "[1] A passage") {
		t.Errorf("shown are %d bytes: %.200q", len(got), got)
	}
	for _, a := range []string{"support:0", "support:3", "doubt:2", "doubt:99999999999999999999"} {
		n.Explain(a)
		n.Follow(a)
	}
}
