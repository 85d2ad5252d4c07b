package chat

import (
	"slices"
	"strings"

	"inglenook/app/documents"
	"inglenook/documents/words"
)

// mostParts is how many parts of a question are searched for by themselves.
const mostParts = 3

var (
	joins = words.Set("and und")
	asks  = words.Set("who whose whom what when where which why how wer wessen wem wen was wann wo wohin woher womit welche welcher welches welchen welchem warum wieso wie")
)

// partsOf returns what is searched for in turn for a question that asks for several things:
// "How high is the rent, and which animals are allowed?" A part that points back is searched
// for together with the one before it. Most questions have one part: themselves.
func partsOf(question string) []string {
	var parts [][]string
	fields := strings.Fields(question)
	tells := func(fields []string) int { return len(telling(strings.Join(fields, " "))) }
	from := 0
	for i := range fields {
		if i > from && begins(fields, i) && tells(fields[from:i]) > 1 && tells(fields[i:]) > 0 && len(parts) < mostParts-1 {
			parts = append(parts, fields[from:i])
			from = i
		}
	}
	parts = append(parts, fields[from:])
	if len(parts) < 2 {
		return []string{question}
	}
	all := make([]string, len(parts))
	for i, p := range parts {
		if joins[bare(p[0])] {
			p = p[1:]
		}
		all[i] = strings.TrimRight(strings.Join(p, " "), ",;")
		if i > 0 && pointsToBefore(all[i]) {
			all[i] = all[i-1] + " " + all[i]
		}
	}
	return all
}

// begins reports whether another part of a question begins with word i: behind a question
// mark, or with an "and" before a word that asks.
func begins(fields []string, i int) bool {
	if strings.HasSuffix(fields[i-1], "?") {
		return true
	}
	return joins[bare(fields[i])] && i+1 < len(fields) && asks[bare(fields[i+1])]
}

func bare(field string) string { return strings.ToLower(strings.Trim(field, ",;.:!?")) }

// telling returns the words that say what is asked about.
func telling(question string) []string {
	return slices.DeleteFunc(words.Split(question), func(w string) bool { return words.Frequent(w) || asks[w] || joins[w] })
}

// findings are what was found for a part of a question.
type findings struct {
	question string
	results  []documents.Result // the best first
	answers  bool               // they may answer it
}

// together joins what was found for the parts of a question: the best of each part, then the
// second best, and so on. first is how many results are the best of a part that is answered.
func together(all []findings) (results []documents.Result, first int) {
	for rank, more := 0, true; more; rank++ {
		more = false
		for _, f := range all {
			if !f.answers || rank >= len(f.results) {
				continue
			}
			more = true
			one := f.results[rank]
			if !slices.ContainsFunc(results, func(r documents.Result) bool { return r.ID == one.ID }) {
				results = append(results, one)
			}
		}
		if rank == 0 {
			first = len(results)
		}
	}
	return results, first
}

// unanswered says which parts of a question the documents do not answer, where they answer
// others.
func unanswered(all []findings, name string) (notes []string) {
	for _, f := range all {
		if !f.answers {
			notes = append(notes, "Nothing in “"+name+"” answers “"+f.question+"”.")
		}
	}
	return notes
}
