// Package guide answers questions about the program in true words: the sentences of guide.txt, of which
// it finds those whose questions are most like what is asked. The tiny model that comes with the program
// learned an older form of them: what it begins to say of that is said in the words that are true now.
package guide

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"inglenook/documents/words"
)

//go:embed guide.txt
var answersText string

//go:embed talk.txt
var talkText string

// How like a known question another one has to be, of 1.
const (
	sure  = 0.7 // it asks the same
	maybe = 0.5 // it may ask the same: answered only where the model did not learn an answer itself
)

// About returns the answer to a question about the program; "": the question is about something else, or the model knows
// better what is meant.
func About(question string) string {
	found, like := all().nearest(question)
	if like >= sure || like >= maybe && found.learned == "" {
		return found.answer
	}
	return ""
}

// Says reports whether a text is one of the answers.
func Says(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(all().topics, func(t topic) bool { return t.answer == text || t.learned == text })
}

// SmallTalk reports whether somebody only greets, thanks or takes leave.
func SmallTalk(text string) bool {
	asked := strings.Join(words.Split(text), " ")
	return asked == "" || slices.ContainsFunc(talk(), func(t topic) bool { return slices.Contains(t.questions, asked) })
}

// ofProgram are words that a question about the program has, and one about a file seldom.
var ofProgram = words.Set("inglenook app chat chats model models settings starter")

// Named reports whether a question names the program, or something that it consists of.
func Named(question string) bool {
	return slices.ContainsFunc(words.Split(question), func(w string) bool { return ofProgram[w] })
}

// topic is an answer and the questions that it answers.
type topic struct {
	answer    string
	learned   string // what the model says in its place; "": it does not know the topic
	questions []string
}

// topicsOf reads a text in the form of guide.txt.
func topicsOf(text string) (list []topic) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		answer, begins := strings.CutPrefix(line, "A ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case begins:
			list = append(list, topic{answer: answer})
		case len(list) > 0:
			last := &list[len(list)-1]
			if learned, ok := strings.CutPrefix(line, "W "); ok {
				last.learned = learned
			} else {
				last.questions = append(last.questions, line)
			}
		}
	}
	return list
}

// known are the questions by their words, each with a weight: a word says more the fewer topics have it.
type known struct {
	topics  []topic
	weights map[string]float64
	unknown float64 // of a word that no topic has
	asked   []asked
	by      map[string][]int // the questions that have a word
}

// asked is a known question, by the weights of its words and the length of that vector.
type asked struct {
	topic int
	words map[string]float64
	size  float64
}

var (
	all  = sync.OnceValue(func() *known { return newKnown(topicsOf(answersText)) })
	talk = sync.OnceValue(func() []topic {
		list := topicsOf(talkText)
		for _, t := range list {
			for i, q := range t.questions {
				t.questions[i] = strings.Join(words.Split(q), " ")
			}
		}
		return list
	})
)

func newKnown(topics []topic) *known {
	k := &known{topics: topics, weights: map[string]float64{}, by: map[string][]int{}}
	for _, t := range topics {
		here := map[string]bool{}
		for _, q := range t.questions {
			for _, w := range termsOf(q) {
				here[w] = true
			}
		}
		for w := range here {
			k.weights[w]++
		}
	}
	for w, n := range k.weights {
		k.weights[w] = math.Log(1 + float64(len(topics))/n)
	}
	k.unknown = math.Log(1 + float64(len(topics)))
	for i, t := range topics {
		for _, q := range t.questions {
			a := asked{topic: i}
			a.words, a.size = k.weigh(q)
			for w := range a.words {
				k.by[w] = append(k.by[w], len(k.asked))
			}
			k.asked = append(k.asked, a)
		}
	}
	return k
}

// weigh returns the words of a question with their weights, and the length of that vector.
func (k *known) weigh(question string) (weights map[string]float64, size float64) {
	weights = map[string]float64{}
	for _, w := range termsOf(question) {
		weight, ok := k.weights[w]
		if !ok {
			weight = k.unknown
		}
		weights[w] = weight
	}
	for _, w := range weights {
		size += w * w
	}
	return weights, math.Sqrt(size)
}

// nearest returns the topic whose questions are most like this one, and how like the nearest of them is.
func (k *known) nearest(question string) (found topic, score float64) {
	weights, size := k.weigh(question)
	if size == 0 {
		return topic{}, 0
	}
	products := map[int]float64{}
	for w, weight := range weights {
		for _, i := range k.by[w] {
			products[i] += weight * k.asked[i].words[w]
		}
	}
	const few = 3 // several questions of a topic that are like it say more than one
	best := make([][]float64, len(k.topics))
	for i, product := range products {
		a := k.asked[i]
		like := append(best[a.topic], product/(size*a.size))
		slices.SortFunc(like, func(a, b float64) int { return cmp.Compare(b, a) })
		best[a.topic] = like[:min(len(like), few)]
	}
	highest := -1.0
	for i, like := range best {
		if len(like) == 0 {
			continue
		}
		sum := 0.0
		for n, s := range like {
			sum += s / float64(int(1)<<n)
		}
		if sum > highest {
			highest, found, score = sum, k.topics[i], like[0]
		}
	}
	return found, score
}
