package support

import "regexp"

// between is what joins the clauses of a sentence.
var between = regexp.MustCompile(`;\s+|,\s+(?:and|but|while|whereas|und|aber|et|mais|y|pero)\s+|\s+(?:while|whereas)\s+|,\s+|\s+(?:and|und|et|y)\s+`)

const mostClauses = 6

// piecesOf cuts a text at everything that may join clauses, however short they are.
func piecesOf(text string) (spans []Span) {
	start := 0
	for _, at := range between.FindAllStringIndex(text, -1) {
		if at[0] > start {
			spans = append(spans, Span{Start: start, End: at[0]})
		}
		start = at[1]
	}
	return append(spans, Span{Start: start, End: len(text)})
}

// clausesOf cuts a sentence into clauses that say something each; what is too short to stand
// alone stays with what follows.
func clausesOf(text string) (clauses []string) {
	start := 0
	for _, at := range between.FindAllStringIndex(text, -1) {
		if len(termsOf(text[start:at[0]])) < fewTerms || len(termsOf(text[at[1]:])) < fewTerms {
			continue
		}
		clauses = append(clauses, text[start:at[0]])
		start = at[1]
	}
	if clauses = append(clauses, text[start:]); len(clauses) > mostClauses {
		return nil
	}
	return clauses
}
