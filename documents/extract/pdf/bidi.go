package pdf

import (
	"cmp"
	"slices"
	"unicode"
)

// isRightToLeft reports whether a text is of Hebrew, Arabic or a script like them.
func isRightToLeft(text string) bool {
	for _, r := range text {
		if r < 0x590 {
			continue
		}
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko) && !unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// logicalOrder turns the glyphs of a line from the order in which they stand on
// the page into that in which they are read: stretches of text from right to left
// are turned round, and so is their order where most of the line is such text.
func logicalOrder(glyphs []glyph) []glyph {
	visual := slices.Clone(glyphs)
	slices.SortStableFunc(visual, func(a, b glyph) int { return cmp.Compare(a.x0+a.x1, b.x0+b.x1) })
	strong := 0
	for _, g := range visual {
		switch {
		case isRightToLeft(g.text):
			strong++
		case isLeftToRight(g.text):
			strong--
		}
	}
	rightToLeft := strong >= 0
	out := make([]glyph, 0, len(visual))
	for start := 0; start < len(visual); {
		stop := start
		if !keepsOrder(visual[start].text) {
			for stop < len(visual) && !keepsOrder(visual[stop].text) {
				stop++
			}
		} else {
			lastStrong := start
			for stop < len(visual) && !isRightToLeft(visual[stop].text) {
				if keepsOrder(visual[stop].text) {
					lastStrong = stop
				}
				stop++
			}
			stop = max(start, lastStrong) + 1
		}
		part := slices.Clone(visual[start:stop])
		if !keepsOrder(part[0].text) {
			slices.Reverse(part)
		}
		if rightToLeft {
			out = append(part, out...)
		} else {
			out = append(out, part...)
		}
		start = stop
	}
	return out
}

// keepsOrder reports whether a text reads from left to right in any line: letters
// of other scripts, and digits.
func keepsOrder(text string) bool {
	for _, r := range text {
		if unicode.IsDigit(r) || unicode.IsLetter(r) && !isRightToLeft(string(r)) {
			return true
		}
	}
	return false
}

func isLeftToRight(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) && !isRightToLeft(string(r)) {
			return true
		}
	}
	return false
}
