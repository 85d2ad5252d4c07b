package texts

import "inglenook/pipeline/labels"

// Verdict is how far the best label of a text can be trusted.
type Verdict int

const (
	Sure       Verdict = iota
	Close              // another label fits nearly as well
	Improbable         // the model finds none of its labels probable
	Outside            // no label is closer to the text than labels about something else
)

// closeCall is how many times as large as the second the share of the best label has to be. With the
// scale for texts that is a cosine that is higher by 0.02: less than that is a matter of wording.
const closeCall = 1.5

// probable is from which probability on a label is more likely right than wrong.
const probable = 0.5

// Verdict judges the labels of text i. Numbers that are no probabilities are taken as they are.
func (r ClassifyResult) Verdict(i int) Verdict {
	if i >= len(r.Labels) || len(r.Labels[i]) == 0 || r.Kind == labels.Values {
		return Sure
	}
	list := r.Labels[i]
	switch {
	case i < len(r.NoneFits) && r.NoneFits[i]:
		return Outside
	case r.Cosines == nil && list[0].Value < probable:
		return Improbable
	case r.several() || len(list) < 2 || list[0].Value >= closeCall*list[1].Value:
		return Sure
	}
	return Close
}

// several reports whether a text may have several labels, or none.
func (r ClassifyResult) several() bool { return r.Kind == labels.Sigmoid && r.Cosines == nil }

// Of returns the labels that text i has: the best, or all that are probable where there may be
// several. None where no label fits it.
func (r ClassifyResult) Of(i int) []string {
	if i >= len(r.Labels) || len(r.Labels[i]) == 0 || r.Verdict(i) == Outside {
		return nil
	}
	names := []string{r.Labels[i][0].Name}
	if r.several() {
		for _, l := range r.Labels[i][1:] {
			if l.Value >= probable {
				names = append(names, l.Name)
			}
		}
	}
	return names
}
