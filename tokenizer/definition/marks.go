package definition

import "slices"

// NulMark stands for a NUL in text on its way into and out of the library,
// which passes C strings. A Replace step that we add turns the mark into a
// real NUL before the file's own normalizer, and back after its decoder, so
// every part of the file sees what it would see elsewhere. U+FDD0 and its
// neighbours are noncharacters, which text does not contain.
const (
	MarkRune    = "\uFDD0"
	NulMark     = MarkRune + "\uFDD1"
	ControlMark = MarkRune + "\uFDD2" // see protect.go
)

// NativeMarked is native for a tokenizer in which every control token has a name
// that no text contains: its own behind controlMark.
func (f *File) NativeMarked() []byte { return f.write(f.allMarked()) }

// allMarked returns the model and the added tokens with every control token
// renamed. Some normalizers would drop the mark; for those, the library
// searches for the tokens before it normalizes.
func (f *File) allMarked() (Model, []AddedToken) {
	m, added := f.renamed(f.Controls)
	added = slices.Clone(added)
	for i := range added {
		if f.Controls[f.Added[i].Content] && f.dropsMarks() {
			added[i].Normalized = false
		}
	}
	return m, added
}

func (f *File) dropsMarks() bool {
	return slices.ContainsFunc(f.Normalizer.Parts(), func(c Component) bool {
		switch c.Name() {
		case "BertNormalizer", "Nmt", "Precompiled", "ByteLevel":
			return true
		}
		return false
	})
}
