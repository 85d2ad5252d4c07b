package chat_test

import (
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/library"
)

// The guide quotes the row that answers, below the names of its table's columns, where a table is longer
// than what is quoted of it.
func TestTheGuideQuotesTheRowThatAnswers(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	if _, err := a.Documents().AddSamples(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Documents().Index(t.Context(), documents.IndexRequest{Collection: documents.SamplesName}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for question, row := range map[string]string{
		"When is garlic planted?":                         "| October | Garlic | Plant the largest cloves | The tip two fingers below the surface |",
		"When should garlic be planted?":                  "| October | Garlic | Plant the largest cloves | The tip two fingers below the surface |",
		"In which month are the pumpkins laid on a tile?": "| September | Pumpkins | Put a tile under each fruit | On bare soil they rot from below |",
	} {
		m := ask(t, talks, begin(t, a, chat.Choices{Model: library.StarterChat, Collection: documents.SamplesName}), question)
		if text := m.Text(); !strings.Contains(text, "> | Month | Crop | Work | Remember |\n> |---|---|---|---|\n") || !strings.Contains(text, row) {
			t.Errorf("%s: %s", question, text)
		}
	}
}
