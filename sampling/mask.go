package sampling

// Mask is a set of token ids with one bit per id: id i is bit i%64 of word
// i/64. Ids beyond its words are not in the set.
type Mask []uint64

// NewMask returns an empty mask for ids below n.
func NewMask(n int) Mask { return make(Mask, (n+63)/64) }

// Has reports whether the id is in the mask.
func (m Mask) Has(id int32) bool {
	return id >= 0 && int(id)/64 < len(m) && m[id/64]>>(id%64)&1 != 0
}

// Add adds an id to the mask, which must have a word for it.
func (m Mask) Add(id int32) { m[id/64] |= 1 << (id % 64) }

// apply sets the logits of ids that are not in the mask to value.
func (m Mask) apply(logits []float32, value float32) {
	for i := 0; i < len(logits); i += 64 {
		block := logits[i:min(i+64, len(logits))]
		word := uint64(0)
		if i/64 < len(m) {
			word = m[i/64]
		}
		if word == ^uint64(0) {
			continue
		}
		for j := range block {
			if word>>j&1 == 0 {
				block[j] = value
			}
		}
	}
}
