package texts

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"inglenook/vecmath"
)

const (
	shortestWord = 3   // letters of a word that says something
	longWord     = 6   // letters from which on a word is not short
	seldom       = 2   // a word that fewer texts of a group have does not stand for it
	common       = 0.5 // of all texts: a word that more of them have stands for no group, unless hardly any other has it
	ownWord      = 0.9 // of the texts that have a word are in one group: it is that group's own
)

// stopWordList has the words without which no sentence of English or German gets by, and those with which letters
// begin and end. They say nothing of what a text is about.
//
//go:embed stopwords.txt
var stopWordList string

var stopWords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(stopWordList) {
		set[word] = true
	}
	return set
})

// isStopWord reports whether a word in small letters says nothing of what a text is about.
func isStopWord(word string) bool { return stopWords()[strings.ReplaceAll(word, "’", "'")] }

// keywords returns for each group up to so many words that stand for it: words that many of its texts
// have and few of the others, the most telling first. Words without which no sentence gets by fall away, and so
// does what letters have around what they say. None where no two texts share a word, or where a script has no
// spaces between words.
func (g Groups) keywords(texts []string, most int) [][]string {
	all, size := map[string]int{}, make([]int, g.Count)
	of := make([]map[string]int, g.Count) // in how many texts of the group a word is
	for k := range of {
		of[k] = map[string]int{}
	}
	written := map[string]map[string]int{} // how a word is written, and how often
	for i, text := range texts {
		if i >= len(g.Of) {
			break
		}
		k := g.Of[i]
		size[k]++
		for word, form := range wordsOf(contentOf(text)) {
			all[word]++
			of[k][word]++
			if written[word] == nil {
				written[word] = map[string]int{}
			}
			written[word][form]++
		}
	}
	list := make([][]string, g.Count)
	for k, words := range of {
		list[k] = telling(words, size[k], all, len(texts), most)
		for n, word := range list[k] {
			list[k][n] = mostOften(written[word])
		}
	}
	return list
}

// wordsOf are the words of a text in small letters, with one way that each is written there.
func wordsOf(text string) map[string]string {
	words := map[string]string{}
	for form := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' }) {
		form = strings.Trim(form, "'’")
		if utf8.RuneCountInString(form) >= shortestWord {
			words[strings.ToLower(form)] = form
		}
	}
	return words
}

// telling are the words of a group that tell it from all texts: those that add most to the divergence of its
// words from those of all, and are hardly anywhere else. Short words count less: in any language those are
// shortest that are used most, and say least.
func telling(words map[string]int, size int, all map[string]int, texts, most int) []string {
	type scored struct {
		word  string
		score float64
	}
	var found []scored
	for word, n := range words {
		if n < min(seldom, size) || isStopWord(word) {
			continue
		}
		here, everywhere := float64(n)/float64(size), float64(all[word])/float64(texts)
		own := float64(n) / float64(all[word])
		if everywhere > common && own < ownWord {
			continue
		}
		score := here * math.Log(here/everywhere) * own * min(1, float64(utf8.RuneCountInString(word))/longWord)
		if score > 0 {
			found = append(found, scored{word, score})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.word, b.word))
	})
	var best []string
	for _, f := range found {
		if len(best) == most || f.score < found[0].score/3 { // much less telling than the first
			break
		}
		if !slices.ContainsFunc(best, func(w string) bool { return sameStem(w, f.word) }) {
			best = append(best, f.word)
		}
	}
	return best
}

// sameStem reports whether two words are forms of one, such as charge and charged.
func sameStem(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= 4 && n >= min(len(a), len(b))-1 && max(len(a), len(b))-n <= 3
}

// mostOften is how a word is written most often, in small letters where that is even.
func mostOften(forms map[string]int) string {
	best := ""
	for form, n := range forms {
		if best == "" || n > forms[best] || n == forms[best] && form > best { // small letters come later
			best = form
		}
	}
	return best
}

// groupWords is how many words name a group.
const groupWords = 3

// WithWords returns these groups of texts with the words that name each.
func (g Groups) WithWords(texts []string) Groups {
	g.Words = g.keywords(texts, groupWords)
	return g
}

// WriteGroups writes one row a text: its number, the text, the number of its group, the words that stand for that, and
// where a person named some, its name.
func (r SimilarityResult) WriteGroups(w io.Writer) error {
	if r.Groups.Count == 0 {
		return errors.New("these texts fall into no groups, so there are none to save")
	}
	out := csv.NewWriter(w)
	head := []string{"number", "text", "group", "words"}
	if r.Groups.named() {
		head = append(head, "name")
	}
	out.Write(head)
	for i, text := range r.Texts {
		k := r.Groups.Of[i]
		row := []string{strconv.Itoa(i + 1), cell(text), strconv.Itoa(k + 1), strings.Join(r.Groups.Words[k], "; ")}
		if r.Groups.named() {
			row = append(row, cell(r.Groups.Names[k]))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error() // the first of all
}

// Central orders some of the texts: those first that are most like all of these.
func (r SimilarityResult) Central(some []int) []int {
	mean := []float32{}
	for _, i := range some {
		for k, v := range r.Vectors[i] {
			if k == len(mean) {
				mean = append(mean, 0)
			}
			mean[k] += v
		}
	}
	all := make([]Neighbour, len(some))
	for k, i := range some {
		all[k] = Neighbour{i, float32(vecmath.Dot(r.Vectors[i], mean))}
	}
	bestFirst(all)
	order := make([]int, len(all))
	for k, n := range all {
		order[k] = n.Index
	}
	return order
}
