package search

import (
	"regexp"
	"strings"

	"inglenook/documents"
	"inglenook/documents/words"
)

// weakShare is what is left of the score of a passage that answers nothing itself: a heading, or a list of
// references. It has the words of a question as close together as an answer, and often closer.
const weakShare = 0.6

// isWeak reports whether a passage is only headings, or mostly references.
func isWeak(c documents.Chunk) bool { return onlyHeadings(c) || mostlyReferences(c) }

// onlyHeadings reports whether nothing stands below the headings of a passage.
func onlyHeadings(c documents.Chunk) bool {
	headings, end := false, 0
	for _, b := range c.Breaks {
		if b.Headings == nil || b.At < end || b.At > len(c.Text) {
			continue
		}
		if !isRule(c.Text[end:b.At]) {
			return false
		}
		headings, end = true, len(c.Text)
		if n := strings.IndexByte(c.Text[b.At:], '\n'); n >= 0 {
			end = b.At + n + 1
		}
	}
	return headings && isRule(c.Text[end:])
}

// isRule reports whether a text has no word.
func isRule(text string) bool { return len(words.Split(text)) == 0 }

// What the entry of a list of references has: the year, where it was published, and the initials of names.
var (
	yearOf    = regexp.MustCompile(`\((?:1[89]|20)\d\d[a-z]?\)|[,.] (?:1[89]|20)\d\d[a-z]?[.,;:]|[,.] (?:1[89]|20)\d\d[a-z]?$`)
	placeOf   = regexp.MustCompile(`(?i)\bdoi\b|\barxiv\b|https?://|\bet al\b|\bpp?\. ?\d|\bvol\. ?\d|\bproc(?:eedings|\.)|\bjournal of\b|\btrans(?:actions|\.) (?:of|on)\b|\buniversity press\b|\bedn?\.|\beds?\.|\d+ ?\(\d+\):|\d+[–-]\d+[.,]|\bISBN\b`)
	initialOf = regexp.MustCompile(`\b\p{Lu}\.`)
	listedIn  = regexp.MustCompile(`(?i)^[\d. ]*(?:references|bibliography|literature(?: cited)?|works cited|further reading|literatur(?:verzeichnis)?|références|bibliographie|bibliografía|referencias)[.:]?$`)
)

// How many of the words of a list of references are such signs, at least: below a heading that says so, and elsewhere.
const (
	signsListed = 0.06
	signsAlone  = 0.14
	leastYears  = 2
)

// mostlyReferences reports whether a passage is a list of references, or of most of one.
func mostlyReferences(c documents.Chunk) bool {
	years := len(yearOf.FindAllString(c.Text, -1))
	if years < leastYears {
		return false
	}
	signs, all := years+len(placeOf.FindAllString(c.Text, -1))+len(initialOf.FindAllString(c.Text, -1)), len(strings.Fields(c.Text))
	least := signsAlone
	if h := c.HeadingsAt(0); len(h) > 0 && listedIn.MatchString(h[len(h)-1]) {
		least = signsListed
	}
	return float64(signs) >= least*float64(all)
}
