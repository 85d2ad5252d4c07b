package documents_test

import (
	"strings"
	"testing"

	"inglenook/app/documents"
)

const handbook = "Every employee has 28 days of paid leave a year. Unused days lapse on 31 March. Sick leave is no paid leave: call the office before nine. " +
	"The kitchen is cleaned by those who used it. Bicycles stand in the yard."

// The sentence that answers is found by meaning where another one has the words of the question.
func TestPinpoint(t *testing.T) {
	s, dir := newService(t), papers(t)
	write(t, dir, "handbook.txt", handbook)
	indexed(t, s, "", dir)
	for question, want := range map[string]string{
		"How many vacation days do workers get?": "Every employee has 28 days of paid leave a year.",
		"where can I park my bike":               "Bicycles stand in the yard.",
	} {
		found := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: question, Spread: true}))
		var passages []documents.Result
		for _, f := range found.Files {
			passages = append(passages, f.Passages...)
		}
		there := false
		for i, r := range must[[]documents.Result](t)(s.Pinpoint(t.Context(), question, passages)) {
			if !r.Pinpointed || r.ID != passages[i].ID {
				t.Errorf("passage %d: %+v", i, r)
			}
			if strings.HasPrefix(r.Text, "Every employee") {
				there = true
				if got := r.Text[r.Best.Start:r.Best.End]; got != want {
					t.Errorf("%s The best sentence is %q", question, got)
				}
			}
		}
		if !there {
			t.Errorf("%s The handbook is not found", question)
		}
	}
}
