package classify

import (
	"slices"

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
	var names []string
	for _, k := range labelKinds {
		names = append(names, k.name)
	}
	p.sentence = kept
	at := slices.IndexFunc(labelKinds, func(k struct{ name, sentence string }) bool { return k.sentence == kept })
	if at < 0 {
		at, p.sentence = 0, ""
	}
	c := kit.NewChoice(p.Keys, names, func(name string) {
		for _, k := range labelKinds {
			if k.name == name && p.sentence != k.sentence {
				p.sentence = k.sentence
				p.Keep(func(s *base.Settings) { s.Classify.Reads = k.sentence })
				p.refresh()
			}
		}
	})
	c.Offer(names, at)
	return c
}
