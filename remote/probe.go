package remote

import "inglenook/vecmath"

// probeTexts are embedded by each replica: their vectors tell which model it has. Two
// texts that have no word in common are told apart by every model, and one that gives a
// single vector for all texts is another one.
func probeTexts() []string {
	return []string{
		"The quick brown fox jumps over the lazy dog.",
		"In 1969 two people walked on the surface of another world, and millions watched it at home.",
	}
}

// sameModel is the least cosine of two vectors of one text that are taken for those of one
// model. The same weights in other number types, in another program or on another device
// come nearer than that; those of another model, also of the same family, do not.
const sameModel = 0.98

// SameModel reports whether two lists of vectors, of the same texts, are of one model.
func SameModel(a, b [][]float32) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) || !(vecmath.Cosine(a[i], b[i]) >= sameModel) {
			return false
		}
	}
	return true
}
