package base

import (
	"encoding/binary"
	"math"
	"time"
)

// KeptComparison is what Similarity found in its texts last: their vectors, from which everything else follows.
type KeptComparison struct {
	Model     string        `json:"model"` // its id
	Name      string        `json:"name"`
	Device    string        `json:"device,omitempty"`
	Prompt    string        `json:"prompt,omitempty"`
	EightBits bool          `json:"eight_bits,omitempty"`
	Took      time.Duration `json:"took,omitempty"`
	Groups    int           `json:"groups,omitempty"` // that a person asked for; 0: as many as part best
	Sorted    *KeptGroups   `json:"sorted,omitempty"` // groups that a person changed; nil: they are those that are found
	Note      string        `json:"note,omitempty"`
	Truncated []int         `json:"truncated,omitempty"` // the texts that were cut short
	KeptVectors
}

// KeptVectors are vectors of texts.
type KeptVectors struct {
	Dimension int    `json:"dimension"`
	Vectors   []byte `json:"vectors"` // one after another, each number in two bytes, as shares of the largest of its vector
}

// KeptGroups are groups of texts as a person left them.
type KeptGroups struct {
	Of     []int    `json:"of"`    // the group of each text
	Order  []int    `json:"order"` // all texts, group after group
	Names  []string `json:"names,omitempty"`
	Colors []int    `json:"colors,omitempty"`
}

// mostVectors is how many bytes of vectors are kept: the settings are read before the window opens.
const mostVectors = 2 << 20

// SetVectors keeps vectors; false: they are too many.
func (k *KeptVectors) SetVectors(vectors [][]float32) bool {
	if len(vectors) == 0 || 2*len(vectors)*len(vectors[0]) > mostVectors {
		return false
	}
	k.Dimension, k.Vectors = len(vectors[0]), nil
	for _, v := range vectors {
		most := float32(0)
		for _, x := range v {
			most = max(most, max(x, -x))
		}
		if most == 0 || math.IsInf(float64(most), 0) || math.IsNaN(float64(most)) {
			most = 1
		}
		for _, x := range v {
			k.Vectors = binary.LittleEndian.AppendUint16(k.Vectors, uint16(int16(math.Round(float64(x/most)*math.MaxInt16))))
		}
	}
	return true
}

// Fits reports whether this is a comparison of so many texts.
func (k KeptComparison) Fits(texts int) bool { return texts > 1 && k.Fit(texts) }

// Fit reports whether these are the vectors of so many texts.
func (k KeptVectors) Fit(texts int) bool {
	return k.Dimension > 0 && len(k.Vectors) <= mostVectors && len(k.Vectors) == 2*texts*k.Dimension
}

// Directions are the vectors that are kept, of any length.
func (k KeptVectors) Directions() [][]float32 {
	list := make([][]float32, len(k.Vectors)/2/max(1, k.Dimension))
	for i := range list {
		list[i] = make([]float32, k.Dimension)
		for j := range list[i] {
			list[i][j] = float32(int16(binary.LittleEndian.Uint16(k.Vectors[2*(i*k.Dimension+j):])))
		}
	}
	return list
}
