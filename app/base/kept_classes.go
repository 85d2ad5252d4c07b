package base

import (
	"time"

	"inglenook/pipeline"
)

// KeptClasses is what a model found in the texts of Classify last. Of labels there are the names and for
// each text their values; of entities and gaps what was found in each text.
type KeptClasses struct {
	Model    string        `json:"model"` // its id
	Name     string        `json:"name"`
	Kind     string        `json:"kind"`
	Device   string        `json:"device,omitempty"`
	Took     time.Duration `json:"took,omitempty"`
	Asked    string        `json:"asked,omitempty"`   // a person's own labels, as typed; "": those of the model
	Reads    string        `json:"reads,omitempty"`   // the sentence of a label, as in ClassifySettings
	Learned  int           `json:"learned,omitempty"` // from how many labels given by hand the others learned
	Renamed  bool          `json:"renamed,omitempty"` // one of Asked got that name since the model read another
	Names    []string      `json:"names,omitempty"`
	Values   [][]float32   `json:"values,omitempty"`    // of each text, in the order of Names
	NoneFits []bool        `json:"none_fits,omitempty"` // of each text
	Own      map[int]int   `json:"own,omitempty"`       // the labels that a person gave texts by hand, by text: an index of Names; as they were kept before Hand

	// Hand are the labels that a person gave texts by hand, by text: the present one, or "", and earlier ones.
	Hand map[int][]string `json:"hand,omitempty"`

	Read *KeptVectors `json:"read,omitempty"` // what the model read in the texts, so that labels can learn without it; nil: too much to be kept

	Entities [][]pipeline.Entity  `json:"entities,omitempty"`
	Words    [][][]pipeline.Label `json:"words,omitempty"`
	Notes    []string             `json:"notes,omitempty"` // what was said of how the texts were read
}

// mostClasses is how many values, entities and words are kept of one result.
const mostClasses = 20_000

// Size is how many values, entities and words there are.
func (k KeptClasses) Size() (n int) {
	n = len(k.Values) * len(k.Names)
	for _, list := range k.Entities {
		n += 1 + len(list)
	}
	for _, hand := range k.Hand {
		n += len(hand)
	}
	for _, gaps := range k.Words {
		n++
		for _, words := range gaps {
			n += len(words)
		}
	}
	return n
}

// Fits reports whether this is a result of so many texts that is not too long to be kept.
func (k KeptClasses) Fits(texts int) bool {
	if k.Read != nil && !k.Read.Fit(texts) {
		return false
	}
	if k.Size() > mostClasses || len(k.NoneFits) > 0 && len(k.NoneFits) != texts {
		return false
	}
	for _, row := range k.Values {
		if len(row) != len(k.Names) || len(row) == 0 {
			return false
		}
	}
	for text, name := range k.Own {
		if text < 0 || text >= texts || name < 0 || name >= len(k.Names) {
			return false
		}
	}
	for text := range k.Hand {
		if text < 0 || text >= texts {
			return false
		}
	}
	for _, gaps := range k.Words {
		for _, words := range gaps {
			if len(words) == 0 {
				return false
			}
		}
	}
	return len(k.Values)+len(k.Entities)+len(k.Words) == texts && texts > 0
}
