package classify

import (
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// labelKinds are what the labels of a person can be, with the sentence that each becomes; "": the usual one.
var labelKinds = []struct{ name, sentence string }{
	{"topics", ""},
	{"feelings", texts.FeelingSentence},
	{"whole sentences", texts.StatementSentence},
}

// newKindChoice is the choice of what the labels are.
func (p *Page) newKindChoice(kept string) *kit.Choice {
	names, at := make([]string, len(labelKinds)), 0
	for i, k := range labelKinds {
		if names[i] = k.name; k.sentence == kept {
			at = i
		}
	}
	c := kit.NewChoice(p.Keys, nil, func(string) {
		p.Keep(func(s *base.Settings) { s.Classify.Reads = p.sentence() })
		p.refresh()
		p.again()
	})
	c.Offer(names, at)
	return c
}

// sentence is what a label becomes; "": the usual one.
func (p *Page) sentence() string { return labelKinds[max(0, p.kind.SelectedIndex())].sentence }

// moods are common words of feeling. By the sentences of these, a model that compares meanings tells topics apart
// rather than moods.
var moods = []string{
	"positive", "negative", "neutral", "mixed", "good", "bad", "happy", "unhappy", "sad", "glad", "angry", "satisfied", "dissatisfied", "pleased", "displeased",
	"annoyed", "frustrated", "upset", "disappointed", "delighted", "afraid", "worried", "joy", "anger", "fear", "sadness", "disgust", "surprise", "love", "hate",
}

// byMood reports whether the labels are moods, and the model compares their meaning with that of texts.
func (f *found) byMood() bool {
	if f.Cosines == nil || f.seen() > 0 {
		return false
	}
	return f.asked.sentence == texts.FeelingSentence || !slices.ContainsFunc(split(f.asked.labels), func(name string) bool { return !slices.Contains(moods, strings.ToLower(name)) })
}

// tellMoods says that another kind of model is better for moods, until a person closes that.
func (p *Page) tellMoods(there bool) {
	if !there || p.moodsClosed || !p.found.byMood() {
		p.moods.Hide()
		return
	}
	p.moods.Say("This model sorts by topic. For moods another kind is better: one that was trained on sentiment.", "Get a model for this…", func() { p.FindByWords("sentiment") })
	p.moods.Closes(func() {
		p.moodsClosed = true
		p.panes.View.Refresh()
	})
}
