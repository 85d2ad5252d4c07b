package kit

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"inglenook/plain"
)

// Count writes a number of things: "1 text", "1,200 texts".
func Count(n int, thing string) string {
	return humanize.Comma(int64(n)) + " " + english.PluralWord(n, thing, "")
}

// Duration writes a time as people read it: "340 ms", "2.4 s", "3 min 5 s".
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	d = d.Round(time.Second)
	if d >= time.Hour {
		return fmt.Sprintf("%d h %d min", int(d/time.Hour), int(d%time.Hour/time.Minute))
	}
	return fmt.Sprintf("%d min %d s", int(d/time.Minute), int(d%time.Minute/time.Second))
}

// Left writes how long something still takes: "8 s left".
func Left(d time.Duration) string { return Seconds(d) + " left" }

// Seconds writes a time to come in whole seconds, one at the least: "8 s", "3 min 5 s".
func Seconds(d time.Duration) string {
	d = max(d.Round(time.Second), time.Second)
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d/time.Second))
	}
	return Duration(d)
}

// Rate writes how many things a second: "42.5", "1,830".
func Rate(perSecond float64) string {
	if perSecond < 100 {
		return rounded(perSecond, 1)
	}
	return humanize.Comma(int64(perSecond + 0.5))
}

// WordsPerToken is how many English words a token is, roughly.
const WordsPerToken = 0.75

// Words is how much text some tokens are, for people: "about 190 words", "about 197,000 words".
// It is a rule of thumb, so no more than three digits count.
func Words(tokens int) string { return AboutWords(float64(tokens) * WordsPerToken) }

// AboutWords writes a number of words that is known roughly.
func AboutWords(words float64) string {
	unit := 1.0
	if words >= 100 {
		unit = math.Pow10(max(1, int(math.Log10(words))-2))
	}
	return "about " + Count(int(math.Floor(words/unit+0.5)*unit), "word")
}

// WordsPerSecond writes a rate of tokens in words: "32 words a second", "0.4 words a second".
func WordsPerSecond(tokens float64) string {
	words := tokens * WordsPerToken
	if words < 10 {
		if number := rounded(words, 1); number != "1" {
			return number + " words a second"
		}
		return "1 word a second"
	}
	return humanize.Comma(int64(words+0.5)) + " words a second"
}

// rounded writes a number with so many digits after the point, and without zeros at its end.
func rounded(v float64, digits int) string {
	scale := math.Pow10(digits)
	return humanize.Ftoa(math.Round(v*scale) / scale)
}

// ShortNumber writes a number in a few characters: "950", "1.2k", "34k", "2.5M".
func ShortNumber(v float64) string {
	switch {
	case v >= 1e6:
		return rounded(v/1e6, 1) + "M"
	case v >= 1e4:
		return rounded(v/1e3, 0) + "k"
	case v >= 1e3:
		return rounded(v/1e3, 1) + "k"
	}
	return rounded(v, 0)
}

// Percent writes a share: "3 %", "0.4 %".
func Percent(share float64) string {
	if p := 100 * share; p < 1 && p > 0 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return humanize.Comma(int64(math.Round(100*share))) + " %"
}

// Parameters writes a number of parameters: "7.4 M parameters".
func Parameters(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f B parameters", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f M parameters", float64(n)/1e6)
	}
	return humanize.Comma(n) + " parameters"
}

// Cosine writes a cosine with two digits, without a minus before zero.
func Cosine(v float32) string {
	s := fmt.Sprintf("%.2f", v)
	if s == "-0.00" {
		return "0.00"
	}
	return s
}

// openers are words that may get a capital letter at the beginning of a
// sentence; any other first word may be the name of a file or a model.
var openers = map[string]bool{
	"a": true, "an": true, "the": true, "there": true, "this": true, "these": true, "only": true,
	"all": true, "no": true, "nothing": true, "one": true, "text": true, "texts": true, "another": true, "it": true, "its": true,
}

// Sentence begins with a capital letter and ends with a full stop, as an error
// of app does not. It is not absurdly long.
func Sentence(s string) string {
	s = strings.TrimSpace(plain.Text(s, sentenceRunes))
	if s == "" {
		return ""
	}
	if word, _, _ := strings.Cut(s, " "); openers[word] {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if strings.ContainsAny(s[len(s)-1:], ".!?") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
