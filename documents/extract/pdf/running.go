package pdf

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A running line stands at the top or bottom of many pages: the title of a chapter, a number of the page, a mark of
// whoever made the file. It would cut sentences in two, and be found as if it were one.

const (
	runningReach = 2 // so many lines at the top and at the bottom of a page may be running
	runningPages = 3 // on so many pages at least a line stands
)

// A standing is a line that may be a running one.
type standing struct {
	page, at int // of the pages, and of its lines
	textLine
	numbers []int
}

var digits = regexp.MustCompile(`[0-9]+`)

// withoutRunning drops the running lines of pages. One without a number stays where it stands first, larger ones stay
// everywhere, as they may be headings, and a page without any other line keeps what it has.
func withoutRunning(pages [][]textLine, usual float64) {
	alike := map[string][]standing{}
	for p, lines := range pages {
		for i, l := range lines {
			if i >= runningReach && i < len(lines)-runningReach || l.size > isLarge*usual {
				continue
			}
			s := standing{page: p, at: i, textLine: l}
			for _, n := range digits.FindAllString(l.text, -1) {
				value, err := strconv.Atoi(n)
				if err != nil {
					value = -1
				}
				s.numbers = append(s.numbers, value)
			}
			key := strings.Join(strings.Fields(digits.ReplaceAllString(l.text, "0")), " ")
			alike[key] = append(alike[key], s)
		}
	}
	drop := map[[2]int]bool{}
	for _, group := range alike {
		for _, s := range group {
			if s.runs(group) {
				drop[[2]int{s.page, s.at}] = true
			}
		}
	}
	for p, lines := range pages {
		some := false
		for i := range lines {
			some = some || !drop[[2]int{p, i}]
		}
		if !some {
			continue
		}
		i := -1
		pages[p] = slices.DeleteFunc(lines, func(textLine) bool {
			i++
			return drop[[2]int{p, i}]
		})
	}
}

// runs reports whether the others of a group make a line a running one.
func (s standing) runs(group []standing) bool {
	others, before, counts := 0, false, false
	for _, o := range group {
		if o.page == s.page || math.Abs(o.y-s.y) > 0.5*max(o.size, s.size) {
			continue
		}
		same, follows := true, false
		for i, n := range s.numbers {
			switch {
			case n == o.numbers[i]:
			case n-o.numbers[i] == s.page-o.page:
				follows = true
			default:
				same = false
			}
		}
		if !same {
			continue
		}
		others++
		before, counts = before || o.page < s.page, counts || follows
		if others >= runningPages-1 && (counts || before) {
			break
		}
	}
	switch {
	case others < runningPages-1:
		return false
	case counts:
		return true
	}
	return before && s.cells <= 2 // the names of columns are no running line
}

// joined puts the word that the end of a page divides onto that page, and reports whether the paragraph after it
// goes on with the sentence before it.
func joined(before, after *paragraph) bool {
	sizes := math.Abs(before.size-after.size) > 0.12*max(before.size, after.size)
	if after.page != before.page+1 || before.kind != after.kind || before.kind != 0 || sizes || !continues(before.text, after.text) {
		return false
	}
	if stem, divided := withoutHyphen(before.text, after.text); divided {
		word, rest, _ := strings.Cut(after.text, " ")
		before.text, after.text = stem+word, rest
	}
	return true
}
