package grammar

import (
	"regexp/syntax"
	"unicode/utf8"
)

// runesOf returns the characters that an instruction reads, as ranges. It omits some
// from large sets: characters that are white space or line breaks only in ECMA-262.
func runesOf(in *syntax.Inst) []rune {
	set := wideRunesOf(in)
	size := 0
	for i := 0; i < len(set); i += 2 {
		size += int(set[i+1]-set[i]) + 1
	}
	set = cut(set, 0xD800, 0xDFFF)
	if in.Op == syntax.InstRuneAnyNotNL {
		set = cut(cut(set, '\n', '\n'), '\r', '\r')
	}
	if size > 1000 {
		for _, r := range []rune{'\v', 0xA0, 0x1680, 0x202F, 0x205F, 0x3000, 0xFEFF} {
			set = cut(set, r, r)
		}
		set = cut(cut(set, 0x2000, 0x200A), 0x2028, 0x2029)
	}
	return set
}

// wideRunesOf is runesOf with all characters that any reader may count.
func wideRunesOf(in *syntax.Inst) []rune {
	switch {
	case in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL:
		return []rune{0, utf8.MaxRune}
	case len(in.Rune) == 1:
		return []rune{in.Rune[0], in.Rune[0]}
	}
	return in.Rune
}

// cut removes the runes from low to high from a set of ranges.
func cut(set []rune, low, high rune) (left []rune) {
	for i := 0; i < len(set); i += 2 {
		if from, to := set[i], min(set[i+1], low-1); from <= to {
			left = append(left, from, to)
		}
		if from, to := max(set[i], high+1), set[i+1]; from <= to {
			left = append(left, from, to)
		}
	}
	return left
}

// common returns the runes that are in both of two sets of ranges.
func common(a, b []rune) (both []rune) {
	for i := 0; i < len(a); i += 2 {
		for j := 0; j < len(b); j += 2 {
			if from, to := max(a[i], b[j]), min(a[i+1], b[j+1]); from <= to {
				both = append(both, from, to)
			}
		}
	}
	return both
}

// contains reports whether a rune is in a set of ranges.
func contains(set []rune, r rune) bool {
	for i := 0; i < len(set); i += 2 {
		if set[i] <= r && r <= set[i+1] {
			return true
		}
	}
	return false
}
