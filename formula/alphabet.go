package formula

// letter returns a character in an alphabet, as Unicode's block "Mathematical Alphanumeric
// Symbols" has it, or the character itself where there is none.
func letter(r rune, f Face) rune {
	if special, ok := exceptions[f][r]; ok {
		return special
	}
	b := blocks[f]
	switch {
	case r >= 'A' && r <= 'Z' && b.upper != 0:
		return b.upper + r - 'A'
	case r >= 'a' && r <= 'z' && b.lower != 0:
		return b.lower + r - 'a'
	case r >= '0' && r <= '9' && b.digit != 0:
		return b.digit + r - '0'
	case r >= 'Α' && r <= 'Ω' && b.upperGreek != 0:
		return b.upperGreek + r - 'Α'
	case r >= 'α' && r <= 'ω' && b.lowerGreek != 0:
		return b.lowerGreek + r - 'α'
	}
	if b.lowerGreek != 0 {
		for i, other := range "∂ϵϑϰϕϱϖ" {
			if other == r {
				return b.lowerGreek + 25 + rune(len([]rune("∂ϵϑϰϕϱϖ"[:i])))
			}
		}
	}
	return r
}

// block is where the letters of an alphabet begin; 0: it has none of its own.
type block struct{ upper, lower, digit, upperGreek, lowerGreek rune }

var blocks = [...]block{
	Normal:       {upper: 0x1D434, lower: 0x1D44E, lowerGreek: 0x1D6FC},
	Roman:        {},
	Bold:         {0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2},
	Italic:       {upper: 0x1D434, lower: 0x1D44E, upperGreek: 0x1D6E2, lowerGreek: 0x1D6FC},
	BoldItalic:   {0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736},
	Calligraphic: {upper: 0x1D49C, lower: 0x1D4B6},
	Fraktur:      {upper: 0x1D504, lower: 0x1D51E},
	Double:       {upper: 0x1D538, lower: 0x1D552, digit: 0x1D7D8},
	Sans:         {upper: 0x1D5A0, lower: 0x1D5BA, digit: 0x1D7E2},
	Mono:         {upper: 0x1D670, lower: 0x1D68A, digit: 0x1D7F6},
}

// exceptions are letters that Unicode had before the block.
var exceptions = [Mono + 1]map[rune]rune{
	Normal: {'h': 'ℎ'},
	Italic: {'h': 'ℎ'},
	Calligraphic: {
		'B': 'ℬ', 'E': 'ℰ', 'F': 'ℱ', 'H': 'ℋ', 'I': 'ℐ', 'L': 'ℒ', 'M': 'ℳ', 'R': 'ℛ',
		'e': 'ℯ', 'g': 'ℊ', 'o': 'ℴ',
	},
	Fraktur: {'C': 'ℭ', 'H': 'ℌ', 'I': 'ℑ', 'R': 'ℜ', 'Z': 'ℨ'},
	Double:  {'C': 'ℂ', 'H': 'ℍ', 'N': 'ℕ', 'P': 'ℙ', 'Q': 'ℚ', 'R': 'ℝ', 'Z': 'ℤ'},
}

// Letters returns text in an alphabet, for [Text].
func Letters(text string, f Face) string {
	switch f {
	case Normal, Roman:
		return text
	}
	runes := []rune(text)
	for i, r := range runes {
		if r < 0x80 { // words have upright letters of other scripts
			runes[i] = letter(r, f)
		}
	}
	return string(runes)
}
