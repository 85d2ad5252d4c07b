package sources

import (
	"fmt"
	"strings"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// firstLine is how a passage begins, in a line.
func firstLine(p chat.Part) string {
	text := p.Text
	if s, ok := chat.SourceOf(p); ok && s.Best.Start >= 0 && s.Best.Start < s.Best.End && s.Best.End <= len(text) {
		text = text[s.Best.Start:]
	}
	return chat.Begun(strings.Join(strings.Fields(kit.Brief(chat.Preview(text))), " "))
}

// nameOf is the name of a passage's file and its page.
func nameOf(p chat.Part) string {
	if p.Name == "" {
		return "A passage"
	}
	return kit.Brief(p.Name)
}

// said is what a passage says: one sentence of it, or how it begins.
func said(p chat.Part, sentence string) string {
	if sentence == "" {
		sentence = firstLine(p)
	}
	return nameOf(p) + ": “" + chat.Begun(kit.Brief(chat.Preview(sentence))) + "”"
}

// Share is a part of what the model can read at once, in percent.
func Share(part, of int) string {
	percent := float64(part) / float64(max(1, of)) * 100
	if percent < 1 {
		return "under 1 %"
	}
	return fmt.Sprintf("%.0f %%", percent)
}

// goWith says how many passages go with a question, and how much of what the model can
// read they take: 0: that is not known.
func goWith(n, tokens, context int) string {
	text := kit.Count(n, "passage") + " will go with your question"
	if n == 0 {
		text = "No passage will go with your question"
	}
	if n > 0 && tokens > 0 && context > 0 {
		text += " · " + Share(tokens, context) + " of what the model can read"
	}
	return text
}

// sign is before the head of something that folds.
func sign(open bool) string {
	if open {
		return "▾ "
	}
	return "▸ "
}

// notFound says how many sentences of an answer nothing supports.
func notFound(n int) string {
	if n == 1 {
		return "1 sentence was not found in your documents"
	}
	return fmt.Sprintf("%d sentences were not found in your documents", n)
}

// reason says why nothing supports a sentence.
func reason(c chat.Claim) string {
	if c.Why == "" {
		return "No passage says this."
	}
	return kit.Sentence(c.Why)
}
