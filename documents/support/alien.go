package support

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/vecmath"
)

// A word of a claim that stands nowhere in a passage may be another word for what the passage
// says, or something else in its place: "candles" where it says "comfits". Two things tell:
// without an alien word the claim is nearer to the passage, and no word of the sentence that
// the claim lacks is near to it. docs/QUALITY.md has what the limits were chosen on.
const (
	disturbs  = 0.035 // how much nearer the claim is without the word
	unrelated = 0.43  // the nearest word of the sentence is less similar
	halfTold  = 0.5   // below this coverage two unrelated words are enough
)

// A suspicion is a claim that a window supports, with its words that the passage lacks.
type suspicion struct {
	claim   *claim
	window  *window
	cover   float64
	strange []term
	own     []string // words of the window that the claim lacks
	swaps   []swap
}

// suspect returns the words of a claim that stand neither in the passage nor in the question,
// and those in whose place the window has another.
func (j *judge) suspect(c *claim, w *window) (s suspicion, any bool) {
	s = suspicion{claim: c, window: w, cover: j.coverage(c, w.stems, w.says)}
	for _, t := range c.terms {
		word := strings.ToLower(c.reading.text[t.Start:t.End])
		if !j.question.stems[t.stem] && !hasName(t.stem, w.page.stems) && !saysLittle(word) {
			s.strange = append(s.strange, t)
		}
	}
	for _, sentence := range w.sentences {
		for _, t := range sentence.terms {
			if word := sentence.text[t.Start:t.End]; !c.stems[t.stem] && !slices.Contains(s.own, word) {
				s.own = append(s.own, word)
			}
		}
	}
	s.swaps = j.swapsInPlace(c, w)
	return s, len(s.strange)+len(s.swaps) > 0
}

// texts are what is compared for a suspicion: the claim, the claim without each strange word,
// and these words; with the window and its words.
func (s suspicion) texts() (texts, others []string) {
	text := s.claim.reading.text
	before := strings.TrimSuffix(s.claim.meant, text)
	texts = []string{s.claim.meant}
	for _, t := range s.strange {
		texts = append(texts, before+text[:t.Start]+text[t.End:])
	}
	for _, t := range s.strange {
		texts = append(texts, text[t.Start:t.End])
	}
	return texts, append([]string{s.window.text}, s.own...)
}

// alien returns the word that speaks against the claim, by the similarities of texts; "" if
// none does.
func (s suspicion) alien(similar [][]float64) string {
	var strangers []string
	for i, t := range s.strange {
		word := s.claim.reading.text[t.Start:t.End]
		nearest := -1.0
		for _, v := range similar[1+len(s.strange)+i][1:] {
			nearest = max(nearest, finite(v))
		}
		if nearest >= unrelated {
			continue
		}
		if finite(similar[1+i][0])-finite(similar[0][0]) >= disturbs {
			return word
		}
		strangers = append(strangers, word)
	}
	if len(strangers) > 1 && s.cover < halfTold {
		return strangers[0]
	}
	return ""
}

// withoutAliens takes the support from the claims that have an alien word, or one in the place
// of another. It needs an embedder: a reranker cannot compare words.
func (j *judge) withoutAliens(ctx context.Context, judged []Claim, suspicions map[int]suspicion, m Meaning) error {
	embed, ok := m.(Vectors)
	if !ok || len(suspicions) == 0 {
		return nil
	}
	var order []int
	var texts, others, undone []string
	for i := range judged {
		if s, ok := suspicions[i]; ok {
			some, more := s.texts()
			order, texts, others = append(order, i), append(texts, some...), append(others, more...)
		}
	}
	vectors, err := embed.all(ctx, append(texts, others...))
	if err != nil {
		return err
	}
	of, with := vectors[:len(texts)], vectors[len(texts):]
	base := map[int][][]float32{} // the vectors of claim and window
	for _, i := range order {
		s := suspicions[i]
		n, k := 1+2*len(s.strange), 1+len(s.own)
		similar := cosines(of[:n], with[:k])
		base[i] = [][]float32{of[0], with[0]}
		of, with = of[n:], with[k:]
		if word := s.alien(similar); word != "" {
			judged[i] = judged[i].unsupported(fmt.Sprintf("no passage says this about “%s”", word))
			s.swaps = nil
		} else {
			s.swaps = append(s.swaps, s.swapsAkin(similar[1+len(s.strange):])...)
		}
		suspicions[i] = s
		undone = append(undone, s.undone()...)
	}
	if len(undone) == 0 {
		return nil
	}
	if vectors, err = embed.all(ctx, undone); err != nil {
		return err
	}
	for _, i := range order {
		s := suspicions[i]
		n := len(s.swaps)
		claim, window := base[i][0], base[i][1]
		var near []float64
		for _, v := range vectors[:n] {
			near = append(near, vecmath.Dot(v, window))
		}
		vectors = vectors[n:]
		if word := s.swapped(vecmath.Dot(claim, window), near); word != "" {
			judged[i] = judged[i].unsupported(fmt.Sprintf("the passage has something else for “%s”", word))
		}
	}
	return nil
}
