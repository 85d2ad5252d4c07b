package support

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/documents/words"
)

// A number is one that stands in a text, with what it counts. Dates and times of day are
// numbers too.
type number struct {
	Span
	values []float64 // as which it may be read: 1.240 is 1.24 and 1240
	unit   unit
	about  bool // it is said to be about right
	weak   bool // a word such as "one" or "both", which often counts nothing
}

// written finds numbers of digits: a currency, a sign, thousands in groups, decimals.
var written = regexp.MustCompile(`([$€£]\s?)?([-−]?)(\d{1,3}(?:[,.'’\x{00a0}\x{202f}]\d{3})+(?:[.,]\d+)?|\d{1,3}(?: \d{3})+\b|\d+(?:[.,]\d+)?)(?:st|nd|rd|th)?`)

// numbersOf returns the numbers of a text, in order.
func numbersOf(text string) []number {
	found := calendar(text)
	add := func(n number) {
		if !slices.ContainsFunc(found, func(other number) bool { return n.Start < other.End && other.Start < n.End }) {
			found = append(found, n)
		}
	}
	for _, at := range written.FindAllStringSubmatchIndex(text, -1) {
		if n, ok := ofDigits(text, at); ok {
			add(n)
		}
	}
	for _, n := range inWords(text) {
		add(n)
	}
	slices.SortStableFunc(found, func(a, b number) int { return a.Start - b.Start })
	for i := range found {
		found[i].about = hedged(text[:found[i].Start])
	}
	return found
}

// ofDigits reads what written found at a place. It reports false for what is part of a
// name, such as A4 and 3D.
func ofDigits(text string, at []int) (number, bool) {
	n := number{Span: Span{Start: at[0], End: at[1]}, values: readings(text[at[6]:at[7]])}
	before, _ := utf8.DecodeLastRuneInString(text[:at[4]])
	if unicode.IsLetter(before) {
		return number{}, false
	}
	if minus := at[5] > at[4]; minus && !unicode.IsNumber(before) {
		for i := range n.values {
			n.values[i] = -n.values[i]
		}
	}
	if at[2] >= 0 {
		n.unit = units[strings.TrimSpace(text[at[2]:at[3]])]
	}
	if at[1] > at[7] {
		return n, true // 3rd
	}
	after, _ := utf8.DecodeRuneInString(text[n.End:])
	if word, _ := nextWord(text, n.End); unicode.IsLetter(after) && units[word] == (unit{}) {
		return number{}, false
	}
	n.readUnit(text)
	return n, true
}

// The two ways to write numbers: 1,240.50 and 1.240,50.
var (
	withCommas = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})*|\d+)(?:\.\d+)?$`)
	withPoints = regexp.MustCompile(`^(?:\d{1,3}(?:\.\d{3})*|\d+)(?:,\d+)?$`)
)

// readings are the values that digits may stand for.
func readings(digits string) (values []float64) {
	digits = strings.NewReplacer("'", "", "’", "", "\u00a0", "", "\u202f", "", " ", "").Replace(digits)
	if withCommas.MatchString(digits) {
		values = append(values, parsed(strings.ReplaceAll(digits, ",", "")))
	}
	if withPoints.MatchString(digits) {
		v := parsed(strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", "."))
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

func parsed(digits string) float64 {
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return math.Inf(1) // more digits than a number has room for
	}
	return v
}

// readUnit reads what stands behind a number: "million", a unit, or both.
func (n *number) readUnit(text string) {
	word, end := nextWord(text, n.End)
	if times := numberWords[word]; times >= 1000 {
		for i := range n.values {
			n.values[i] *= times
		}
		n.End = end
		word, end = nextWord(text, end)
	}
	if u, ok := units[word]; ok && n.unit.kind == "" {
		n.unit, n.End = u, end
	}
}

// nextWord returns the word or sign behind a place, in small letters, and where it ends.
func nextWord(text string, at int) (string, int) {
	rest := strings.TrimLeft(text[at:], " \u00a0\u202f-\n")
	start := len(text) - len(rest)
	if start-at > 3 {
		return "", at
	}
	end := 0
	for i, r := range rest {
		sign := i == 0 && strings.ContainsRune("%€$£°", r)
		if !unicode.IsLetter(r) && !sign {
			break
		}
		end = i + utf8.RuneLen(r)
		if sign && r != '°' {
			break
		}
	}
	word := strings.ToLower(rest[:end])
	if rest := strings.ToLower(rest[:min(len(rest), 8)]); rest == "per cent" {
		word, end = "percent", len(rest)
	}
	return word, start + end
}

// weakWords are words for numbers that often count nothing.
var weakWords = map[string]float64{
	"one": 1, "single": 1, "once": 1, "first": 1, "a": 1, "an": 1, "ein": 1, "eine": 1, "einen": 1, "un": 1, "une": 1, "una": 1,
	"both": 2, "pair": 2, "couple": 2, "second": 2, "half": 0.5, "quarter": 0.25, "none": 0, "no": 0, "nothing": 0,
}

// inWords returns the numbers of a text that are written in words, and Roman ones.
func inWords(text string) (found []number) {
	open := -1 // index of the number that the next word may belong to
	words.Each(text, func(start, end int) {
		word := strings.ToLower(text[start:end])
		value, known := numberWords[word]
		if open >= 0 && joins(text[found[open].End:start]) {
			if word == "one" || word == "first" {
				value, known = 1, true
			}
			if known && found[open].extend(word, value) {
				found[open].End = end
				return
			}
			if word == "and" || word == "und" {
				return
			}
		}
		open = -1
		n := number{Span: Span{Start: start, End: end}}
		if weak, ok := weakWords[word]; known {
			n.values = []float64{value}
			open = len(found)
		} else if ok {
			n.values, n.weak = []float64{weak}, true
		} else if roman := ofRoman(text[start:end]); roman > 0 {
			n.values, n.weak = []float64{roman}, true
		} else {
			return
		}
		found = append(found, n)
	})
	for i := range found {
		n := &found[i]
		one := strings.EqualFold(text[n.Start:n.End], "one")
		n.readUnit(text)
		// "one month" counts; "a month" may be a rate, as in "10 a month".
		n.weak = n.weak && !(one && n.unit.kind != "")
	}
	return found
}

// joins reports whether what stands between two words of numbers keeps them together.
func joins(between string) bool {
	between = strings.TrimSpace(between)
	return between == "" || between == "-" || between == "and" || between == "und"
}

// extend adds a further word, if both make one number: twenty five, two hundred.
func (n *number) extend(word string, value float64) bool {
	v := &n.values[0]
	rest := math.Mod(*v, 1000)
	switch {
	case value == 100 && rest > 0 && rest < 100:
		*v += rest*100 - rest
	case value >= 1000 && *v < value:
		*v *= value
	case (word == "dozen" || word == "dutzend") && *v < 12:
		*v *= 12
	case value < 10 && math.Mod(*v, 10) == 0 && math.Mod(*v, 100) != 10:
		*v += value
	case value < 100 && math.Mod(*v, 100) == 0:
		*v += value
	case value == 100 && *v >= 1000 && rest == 0, value < 1000 && math.Mod(*v, 1000) == 0 && *v > 0:
		*v += value
	default:
		return false
	}
	return true
}

var roman = regexp.MustCompile(`^(?:[IVX]{2,}|V|X|[IVXLC]{3,})$`)

// ofRoman is the value of a Roman number such as XIV; 0 for another word.
func ofRoman(word string) (value float64) {
	if !roman.MatchString(word) {
		return 0
	}
	digits := map[byte]float64{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
	for i := range len(word) {
		v := digits[word[i]]
		if i+1 < len(word) && v < digits[word[i+1]] {
			v = -v
		}
		value += v
	}
	return value
}

// hedges are the words before a number that is said to be about right.
var hedges = regexp.MustCompile(`(?i)\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|close to|over|more than|etwa|rund|ungefähr|environ|unos)\s+(?:[€$£]\s?)?$`)

// hedged reports whether such a word ends a text.
func hedged(before string) bool {
	return hedges.MatchString(before[max(0, len(before)-24):])
}

// comparable reports whether another number may stand in the place of n: it counts the same
// kind of things, or what one of them counts is unknown.
func (n number) comparable(other number) bool {
	kind := func(n number) string {
		if n.unit.kind == "months" {
			return "time"
		}
		return n.unit.kind
	}
	if n.isYear() != other.isYear() {
		return false
	}
	a, b := kind(n), kind(other)
	return !other.weak && (a == b || a == "" && b != kindDay || b == "" && a != kindDay)
}

// isYear reports whether a number is most likely a year.
func (n number) isYear() bool {
	v := n.values[0]
	return n.unit.kind == "" && len(n.values) == 1 && n.End-n.Start == 4 && v >= 1000 && v <= 2100
}

// saidBy reports whether the other number, of a passage, says what n says.
func (n number) saidBy(other number) bool {
	a, b := n.unit, other.unit
	if a.kind != "" && b.kind != "" && a.kind != b.kind || other.weak && a.kind != b.kind {
		return false
	}
	near := 1e-9
	if n.about || other.about {
		near = 0.06
	}
	for _, x := range n.values {
		for _, y := range other.values {
			if a.kind == kindDay && b.kind == kindDay && math.Mod(x, 100) == 0 && math.Floor(y/100) == math.Floor(x/100) {
				return true // only the month is claimed
			}
			if a.kind == b.kind && a.kind != "" {
				x, y = x*a.times, y*b.times
			}
			if off := math.Abs(x - y); off <= near*max(math.Abs(x), math.Abs(y)) && !math.IsInf(off, 0) { // infinite: too many digits
				return true
			}
		}
	}
	return false
}
