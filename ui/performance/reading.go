package performance

import (
	"fmt"

	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/kit"
)

// readingSpeed is how many words a second people read silently: 238 a minute in the average of
// the studies of English prose.
const readingSpeed = 4.0

// wordsPerPage are those of a page of a book.
const wordsPerPage = 300.0

// inRelation is a sentence that sets a speed beside something that people know, with a space
// before it. "": there is nothing to set it beside.
func (d deed) inRelation(speed float64) string {
	switch d.work {
	case fit.WorkGenerate:
		return " That is " + besideReading(speed/readingSpeed) + "."
	case fit.WorkEmbed:
		if pages := speed * measure.WordsPerText / wordsPerPage; pages >= 1 {
			return " That is about " + kit.Count(int(pages+0.5), "page") + " of a book a second."
		}
	}
	return ""
}

// besideReading says how fast writing is beside reading.
func besideReading(ratio float64) string {
	switch {
	case ratio >= 1.3:
		return pace(ratio) + " times as fast as people read"
	case ratio >= 0.8:
		return "about as fast as people read"
	case ratio >= 0.4 && ratio < 0.6:
		return "about half as fast as people read"
	}
	return "slower than people read"
}

// yardstick says what such speeds are set beside.
func (d deed) yardstick() string {
	switch d.work {
	case fit.WorkGenerate:
		return fmt.Sprintf("People read about %.0f words a second.", readingSpeed)
	case fit.WorkEmbed:
		return fmt.Sprintf("A text here has about %d words, and a page of a book about %.0f.", measure.WordsPerText, wordsPerPage)
	}
	return fmt.Sprintf("A text here has about %d words.", measure.WordsPerText)
}
