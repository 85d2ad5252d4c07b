package performance

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

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

// pageText is how long a model of chats reads a page before it answers, with a space before it; "": that
// is not known.
func (d deed) pageText(r measure.Row) string {
	m, ok := r.Measure(fit.WorkPrompt)
	if d.work != fit.WorkGenerate || !ok || m.Median <= 0 {
		return ""
	}
	took := time.Duration(wordsPerPage / kit.WordsPerToken / m.Median * float64(time.Second))
	text := "less than a second"
	if took >= time.Second {
		text = "about " + kit.Seconds(took)
	}
	return " Before it answers, it reads a page of a book in " + text + "."
}

// tempo is how fast a model is for a person who waits for it.
type tempo int

const (
	slow tempo = iota
	comfortable
	fast
)

// tempos are from which speed on a kind of work is comfortable, and from which on it is fast, with what
// that means.
var tempos = map[string]struct {
	comfortable, fast float64
	legend            string
}{
	fit.WorkGenerate: {0.8 * readingSpeed, 2.5 * readingSpeed, "For reading along, slow is slower than people read (4 words a second), and fast at least 2.5 times as fast."},
	fit.WorkEmbed:    {wordsPerPage / measure.WordsPerText, 10 * wordsPerPage / measure.WordsPerText, "Slow is less than a page of a book a second, and fast at least ten pages."},
	fit.WorkRerank:   {8, 32, "To put 32 passages in order, slow takes more than 4 seconds, and fast at most one."},
}

// tempo is that of the fastest way.
func (j judgement) tempo() tempo {
	switch t, speed := tempos[j.work], j.speed(j.best); {
	case speed >= t.fast:
		return fast
	case speed >= t.comfortable:
		return comfortable
	}
	return slow
}

// inAWord says it, with the colour of that word.
func (t tempo) inAWord() (string, fyne.ThemeColorName) {
	switch t {
	case fast:
		return "fast", kit.ColorSuccess
	case comfortable:
		return "comfortable", theme.ColorNameForeground
	}
	return "slow", theme.ColorNameWarning
}

// legend says what these words mean.
func (d deed) legend() string { return tempos[d.work].legend }

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
