package words

import "strings"

// porter returns the stem of an English word, by the rules of Porter (1980), as
// the index of words has it. Words of other letters stay as they are.
func porter(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	if len(word) < 3 {
		return word
	}
	w := plural(word)
	w = pastAndGerund(w)
	if strings.HasSuffix(w, "y") && hasVowel(w[:len(w)-1]) {
		w = w[:len(w)-1] + "i"
	}
	w = replaced(w, step2, 0)
	w = replaced(w, step3, 0)
	w = withoutSuffix(w)
	return tidied(w)
}

// consonant reports whether w[i] is a consonant; y after one is a vowel.
func consonant(w string, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure counts the changes from vowels to consonants.
func measure(w string) (n int) {
	for i := 1; i < len(w); i++ {
		if consonant(w, i) && !consonant(w, i-1) {
			n++
		}
	}
	return n
}

func hasVowel(w string) bool {
	for i := range len(w) {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func doubled(w string) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// short reports whether w ends in consonant, vowel, consonant other than w, x, y.
func short(w string) bool {
	n := len(w)
	return n >= 3 && consonant(w, n-3) && !consonant(w, n-2) && consonant(w, n-1) && !strings.Contains("wxy", w[n-1:])
}

func plural(w string) string {
	switch {
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ies"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

func pastAndGerund(w string) string {
	if strings.HasSuffix(w, "eed") {
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	}
	var left string
	switch {
	case strings.HasSuffix(w, "ed"):
		left = w[:len(w)-2]
	case strings.HasSuffix(w, "ing"):
		left = w[:len(w)-3]
	}
	if left == "" || !hasVowel(left) {
		return w
	}
	switch {
	case strings.HasSuffix(left, "at"), strings.HasSuffix(left, "bl"), strings.HasSuffix(left, "iz"):
		return left + "e"
	case doubled(left) && !strings.Contains("lsz", left[len(left)-1:]):
		return left[:len(left)-1]
	case measure(left) == 1 && short(left):
		return left + "e"
	}
	return left
}

// replaced replaces the first ending of a list that fits, if what stands before
// it has more than least measures.
func replaced(w string, endings [][2]string, least int) string {
	for _, e := range endings {
		if left, ok := strings.CutSuffix(w, e[0]); ok {
			if measure(left) > least {
				return left + e[1]
			}
			return w
		}
	}
	return w
}

var step2 = [][2]string{
	{"ational", "ate"},
	{"tional", "tion"},
	{"enci", "ence"},
	{"anci", "ance"},
	{"izer", "ize"},
	{"logi", "log"},
	{"bli", "ble"},
	{"alli", "al"},
	{"entli", "ent"},
	{"eli", "e"},
	{"ousli", "ous"},
	{"ization", "ize"},
	{"ation", "ate"},
	{"ator", "ate"},
	{"alism", "al"},
	{"iveness", "ive"},
	{"fulness", "ful"},
	{"ousness", "ous"},
	{"aliti", "al"},
	{"iviti", "ive"},
	{"biliti", "ble"},
}

var step3 = [][2]string{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

var step4 = [][2]string{
	{"al", ""},
	{"ance", ""},
	{"ence", ""},
	{"er", ""},
	{"ic", ""},
	{"able", ""},
	{"ible", ""},
	{"ant", ""},
	{"ement", ""},
	{"ment", ""},
	{"ent", ""},
	{"sion", "s"},
	{"tion", "t"},
	{"ou", ""},
	{"ism", ""},
	{"ate", ""},
	{"iti", ""},
	{"ous", ""},
	{"ive", ""},
	{"ize", ""},
}

// withoutSuffix removes a last suffix, -ion only after s and t.
func withoutSuffix(w string) string {
	for _, e := range step4 {
		if left, ok := strings.CutSuffix(w, e[0]); ok {
			if measure(left+e[1]) > 1 {
				return left + e[1]
			}
			return w
		}
	}
	return w
}

func tidied(w string) string {
	if left, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(left); m > 1 || m == 1 && !short(left) {
			w = left
		}
	}
	if measure(w) > 1 && doubled(w) && strings.HasSuffix(w, "l") {
		w = w[:len(w)-1]
	}
	return w
}
