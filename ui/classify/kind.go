package classify

import (
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
	})
	c.Offer(names, at)
	return c
}

// sentence is what a label becomes; "": the usual one.
func (p *Page) sentence() string { return labelKinds[max(0, p.kind.SelectedIndex())].sentence }
