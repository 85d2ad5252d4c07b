package support

import (
	_ "embed"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of numbers that are no units.
const (
	kindDay   = "day of a year" // month * 100 + day; the day is 0 if it is unknown
	kindClock = "time of day"   // minutes after midnight
)

//go:embed months.txt
var monthList string

// months are the names of months by number; ambiguous ones are other words too.
var months, ambiguous = func() (map[string]int, map[string]bool) {
	names, other := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(monthList) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		month, err := strconv.Atoi(fields[0])
		if err != nil {
			panic("months.txt: " + line)
		}
		for _, name := range fields[1:] {
			bare := strings.TrimPrefix(name, "+")
			names[bare], other[bare] = month, bare != name
		}
	}
	return names, other
}()

// How dates and times are written.
var (
	isoDate   = regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})\b`)
	shortDate = regexp.MustCompile(`\b(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})\b`)
	dayMonth  = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(\p{L}{3,12})\b`)
	monthDay  = regexp.MustCompile(`\b(\p{L}{3,12})\.?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b`)
	dayRange  = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|\.)?\s*(?:-|–|to|until|till|and|bis|und|au|al)\s*\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(\p{L}{3,12})\b`)
	monthDays = regexp.MustCompile(`\b(\p{L}{3,12})\.?\s+\d{1,2}(?:st|nd|rd|th)?\s*(?:-|–|to|until|till|and)\s*(\d{1,2})(?:st|nd|rd|th)?\b`)
	oneWord   = regexp.MustCompile(`\p{L}{3,12}`)
	clock     = regexp.MustCompile(`(?i)\b(\d{1,2})[:.h](\d{2})(?:\s*(am|pm|a\.m\.|p\.m\.|uhr|in the morning|in the afternoon|in the evening)\b)?|\b(\d{1,2})\s*(am|pm|a\.m\.|p\.m\.|o'clock|o’clock|uhr|in the morning|in the afternoon|in the evening)`)
	inMonth   = regexp.MustCompile(`(?i)\b(?:in|of|since|before|after|until|till|by|from|to|early|late|mid|every|each|on|between|and|im|bis|seit|ab|vor|nach|en|de|depuis|avant|après)[\s-]+$`)
)

// calendar returns the dates and the times of day of a text. A year beside a day stays a
// number by itself.
func calendar(text string) (found []number) {
	day := func(start, end int, values ...float64) {
		for _, n := range found {
			if start < n.End && n.Start < end {
				return
			}
		}
		found = append(found, number{Span: Span{Start: start, End: end}, values: values, unit: unit{kindDay, 1}})
	}
	for _, at := range isoDate.FindAllStringSubmatchIndex(text, -1) {
		day(at[4], at[1], 100*digits(text, at, 2)+digits(text, at, 3))
	}
	for _, at := range shortDate.FindAllStringSubmatchIndex(text, -1) {
		a, b := digits(text, at, 1), digits(text, at, 2)
		if a <= 31 && b <= 31 && (a <= 12 || b <= 12) {
			day(at[0], at[5], 100*a+b, 100*b+a)
		}
	}
	named := func(at []int, name, number, start, end int) {
		month := months[strings.ToLower(text[at[2*name]:at[2*name+1]])]
		if d := digits(text, at, number); month > 0 && d >= 1 && d <= 31 {
			day(start, end, 100*float64(month)+d)
		}
	}
	for _, at := range dayRange.FindAllStringSubmatchIndex(text, -1) {
		named(at, 2, 1, at[2], at[3])
	}
	for _, at := range monthDays.FindAllStringSubmatchIndex(text, -1) {
		named(at, 1, 2, at[4], at[5])
	}
	for _, at := range dayMonth.FindAllStringSubmatchIndex(text, -1) {
		named(at, 2, 1, at[0], at[1])
	}
	for _, at := range monthDay.FindAllStringSubmatchIndex(text, -1) {
		named(at, 1, 2, at[0], at[1])
	}
	for _, at := range oneWord.FindAllStringIndex(text, -1) {
		if month, sure := monthAlone(text, at); month > 0 {
			before := len(found)
			day(at[0], at[1], 100*float64(month))
			if len(found) > before {
				found[before].weak = !sure
			}
		}
	}
	return append(found, clocks(text)...)
}

func digits(text string, at []int, group int) float64 {
	v, _ := strconv.Atoi(text[at[2*group]:at[2*group+1]]) // two digits or four
	return float64(v)
}

// monthAlone returns the month that a word without a day names, and whether it may be no
// other word; 0 if it names none.
func monthAlone(text string, at []int) (month int, sure bool) {
	word := text[at[0]:at[1]]
	first, _ := utf8.DecodeRuneInString(word)
	small := strings.ToLower(word)
	before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
	after, _ := utf8.DecodeRuneInString(text[at[1]:])
	if !unicode.IsUpper(first) || unicode.IsLetter(before) || unicode.IsLetter(after) {
		return 0, false
	}
	sure = !ambiguous[small] && len(small) > 3 || inMonth.MatchString(text[max(0, at[0]-12):at[0]])
	return months[small], sure
}

// clocks returns the times of day, such as 14:30 and 2 pm.
func clocks(text string) (found []number) {
	for _, at := range clock.FindAllStringSubmatchIndex(text, -1) {
		hour, minute, half := 1, 2, 3
		if at[2] < 0 {
			hour, minute, half = 4, 0, 5
		}
		minutes := 60 * digits(text, at, hour)
		if minute > 0 {
			minutes += digits(text, at, minute)
		}
		suffix := ""
		if at[2*half] >= 0 {
			suffix = strings.ToLower(text[at[2*half]:at[2*half+1]])
		}
		if minute > 0 && suffix == "" && text[at[3]] != ':' || minutes >= 1440 || minute > 0 && digits(text, at, 2) > 59 {
			continue // 3.50 is no time
		}
		values := []float64{minutes}
		switch {
		case strings.HasPrefix(suffix, "p"), strings.HasSuffix(suffix, "noon"), strings.HasSuffix(suffix, "evening"):
			values[0] = math.Mod(minutes, 720) + 720
		case strings.HasPrefix(suffix, "a"), strings.HasSuffix(suffix, "morning"):
			values[0] = math.Mod(minutes, 720)
		case minutes < 780 && suffix != "uhr" && text[at[0]] != '0':
			values = append(values, math.Mod(minutes+720, 1440)) // half past two may be both
		}
		found = append(found, number{Span: Span{Start: at[0], End: at[1]}, values: values, unit: unit{kindClock, 1}})
	}
	return found
}
