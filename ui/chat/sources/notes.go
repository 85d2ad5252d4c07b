package sources

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/prose"
)

// quoteRunes is how much of a sentence is repeated below the answer.
const quoteRunes = 120

// Notes stand below an answer: the passages that it rests on, and on demand the sentences
// that none of them supports, with the reasons.
type Notes struct {
	View     *fyne.Container
	host     NotesHost
	text     string // of the answer
	claims   []chat.Claim
	passages []chat.Part
	head     *kit.TextButton
	reasons  *fyne.Container
}

// NotesHost is what notes ask of the panel around them.
type NotesHost struct {
	Keys  *kit.Keyboard
	Tip   *kit.Tip
	Open  func(p chat.Part, sentence string) // shows a passage in its document, with a sentence marked
	Grown func()                             // their height changed
}

// NewNotes makes the notes to an answer. Claims that do not lie in its text are left out.
func NewNotes(text string, claims []chat.Claim, passages []chat.Part, h NotesHost) *Notes {
	n := &Notes{View: kit.Column(kit.GapSmall), host: h, text: text, claims: claims, passages: passages, reasons: kit.Column(kit.GapSmall)}
	if list := n.cited(); len(list) > 0 {
		row := container.New(&kit.Wrap{Gap: kit.GapSmall})
		for _, i := range list {
			p, supports := passages[i], n.supports(i)
			b := kit.NewTextButton(h.Keys, kit.Ellipsize(fmt.Sprintf("[%d] %s", i+1, nameOf(p)), 260, kit.TextSmall, fyne.TextStyle{}), func() { h.Open(p, supports) })
			b.Color = kit.ColorAccent
			h.Tip.On(b, said(p, supports))
			row.Add(b)
		}
		n.View.Add(kit.Inset(row, 0, -5))
	}
	if doubts := n.doubts(); len(doubts) > 0 {
		n.head = kit.NewTextButton(h.Keys, sign(false)+notFound(len(doubts)), n.toggle)
		n.head.Color = theme.ColorNameWarning
		n.View.Add(kit.Inset(container.NewHBox(n.head), 0, -5))
		n.reasons.Hide()
		n.View.Add(n.reasons)
	}
	return n
}

// supported reports whether a passage supports a sentence.
func (n *Notes) supported(c chat.Claim) bool { return c.Passage >= 0 && c.Passage < len(n.passages) }

// sentence is what supports a sentence of the answer, in the words of the passage.
func (n *Notes) sentence(c chat.Claim) string {
	text := n.passages[c.Passage].Text
	if 0 <= c.BestStart && c.BestStart < c.BestEnd && c.BestEnd <= len(text) {
		return text[c.BestStart:c.BestEnd]
	}
	return ""
}

// supports is what a passage says for the first sentence that it supports.
func (n *Notes) supports(passage int) string {
	i := slices.IndexFunc(n.claims, func(c chat.Claim) bool { return c.Passage == passage })
	return n.sentence(n.claims[i])
}

// cited returns the passages that support a sentence, by their number.
func (n *Notes) cited() (list []int) {
	for _, c := range n.claims {
		if n.supported(c) && !slices.Contains(list, c.Passage) {
			list = append(list, c.Passage)
		}
	}
	slices.Sort(list)
	return list
}

// doubts returns the sentences that nothing supports.
func (n *Notes) doubts() (list []chat.Claim) {
	for _, c := range n.claims {
		if !n.supported(c) {
			list = append(list, c)
		}
	}
	return list
}

// toggle shows the reasons, or folds them away.
func (n *Notes) toggle() { n.showReasons(!n.reasons.Visible()) }

func (n *Notes) showReasons(on bool) {
	if n.head == nil {
		return
	}
	if on && len(n.reasons.Objects) == 0 {
		for _, c := range n.doubts() {
			n.reasons.Add(kit.NewParagraph(n.quote(c)+reason(c), kit.ColorMuted).Small().Flat)
		}
	}
	n.head.Set(sign(on) + trimSign(n.head.Line.Text))
	kit.Show(n.reasons, on)
	n.View.Refresh()
	n.host.Grown()
}

// quote repeats a sentence of the answer.
func (n *Notes) quote(c chat.Claim) string {
	if c.Start < 0 || c.End > len(n.text) || c.Start >= c.End {
		return ""
	}
	runes := []rune(kit.Brief(n.text[c.Start:c.End]))
	if len(runes) > quoteRunes {
		runes = append(runes[:quoteRunes], '…')
	}
	return "“" + string(runes) + "” "
}

// Follow does what a click on a reference in the answer is for; false: it is none of ours.
func (n *Notes) Follow(address string) bool {
	if i, ok := numberIn(address, cited); ok && i < len(n.claims) && n.supported(n.claims[i]) {
		c := n.claims[i]
		n.host.Open(n.passages[c.Passage], n.sentence(c))
		return true
	}
	if _, ok := numberIn(address, doubted); ok {
		n.showReasons(true)
		return true
	}
	return false
}

// Explain says what the pointer is on in the answer, in a sentence; "": nothing of ours.
func (n *Notes) Explain(over string) string {
	if over == prose.Doubted {
		return "Not found in your documents"
	}
	if i, ok := numberIn(over, cited); ok && i < len(n.claims) && n.supported(n.claims[i]) {
		c := n.claims[i]
		return said(n.passages[c.Passage], n.sentence(c))
	}
	if i, ok := numberIn(over, doubted); ok && i < len(n.claims) {
		return "Not found in your documents. " + reason(n.claims[i])
	}
	return ""
}

// Empty reports whether there is nothing to say.
func (n *Notes) Empty() bool { return len(n.View.Objects) == 0 }
