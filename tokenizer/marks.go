package tokenizer

import "slices"

// nulMark stands for a NUL in text on its way into and out of the library,
// which passes C strings. A Replace step that we add turns the mark into a
// real NUL before the file's own normalizer, and back after its decoder, so
// every part of the file sees what it would see elsewhere. U+FDD0 and its
// neighbours are noncharacters, which text does not contain.
const (
	markRune    = "\uFDD0"
	nulMark     = markRune + "\uFDD1"
	controlMark = markRune + "\uFDD2" // see protect.go
)

// nativeMarked is native for a tokenizer in which every control token has a name
// that no text contains: its own behind controlMark.
func (f *file) nativeMarked() []byte { return f.write(f.allMarked()) }

// allMarked returns the model and the added tokens with every control token
// renamed. Some normalizers would drop the mark; for those, the library
// searches for the tokens before it normalizes.
func (f *file) allMarked() (model, []addedToken) {
	m, added := f.renamed(f.controls)
	added = slices.Clone(added)
	for i := range added {
		if f.controls[f.added[i].Content] && f.dropsMarks() {
			added[i].Normalized = false
		}
	}
	return m, added
}

func (f *file) dropsMarks() bool {
	return slices.ContainsFunc(f.normalizer.parts(), func(c component) bool {
		switch c.name() {
		case "BertNormalizer", "Nmt", "Precompiled", "ByteLevel":
			return true
		}
		return false
	})
}
