package chat

import (
	"slices"
	"strings"

	"inglenook/documents/words"
	"inglenook/plain"
)

// A question of so many words may go on with the one before: "And who pays for it?" has a
// word that points back, and "Why not?" is nothing by itself.
const (
	shortQuestion = 8
	bareQuestion  = 2
)

// pointsBack are words by which a short question needs the one before it.
var pointsBack = words.Set("and but or also it its he him his she her they them their this that these those there then und aber et mais y pero")

// questions returns what is searched for, in turn until an answer is found: a question that
// goes on with the one before first together with that, and then by itself.
func (r *retrieval) questions() []string {
	n := len(r.talk.Messages) - 1
	question := r.talk.Messages[n].Text()
	all := []string{question}
	if pointsToBefore(question) && len(partsOf(question)) == 1 {
		for _, m := range slices.Backward(r.talk.Messages[:n]) {
			if m.Role == RoleUser && hasPassages(m) {
				all = []string{m.Text() + " " + question, question}
				break
			}
		}
	}
	for i, q := range all {
		all[i] = unquoted(q)
	}
	return slices.DeleteFunc(all, func(q string) bool { return q == "" })
}

// pointsToBefore reports whether a question needs the one before it.
func pointsToBefore(question string) bool {
	parts := words.Split(question)
	back := slices.ContainsFunc(parts, func(w string) bool { return pointsBack[w] })
	return len(parts) > 0 && (len(parts) <= bareQuestion || back && len(parts) <= shortQuestion)
}

// unquoted returns the end of a text without quotes, which mean nothing here, while a search
// takes them literally.
func unquoted(text string) string {
	text = strings.Map(func(c rune) rune {
		if strings.ContainsRune("\"“”„«»", c) {
			return ' '
		}
		return c
	}, plain.Last(text, mostQuestionBytes))
	return strings.TrimSpace(text)
}
