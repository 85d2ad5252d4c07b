package chat

import (
	"slices"
	"testing"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/pipeline"
)

// A question is searched for together with the one before only where it goes on with it.
func TestQuestions(t *testing.T) {
	before := "How high is the \"deposit\"?"
	for question, wanted := range map[string][]string{
		"And who pays for it?":             {"How high is the  deposit ? And who pays for it?", "And who pays for it?"},
		"Why?":                             {"How high is the  deposit ? Why?", "Why?"},
		"Who pays for it when it is lost?": {"How high is the  deposit ? Who pays for it when it is lost?", "Who pays for it when it is lost?"},
		"What happened in the snow?":       {"What happened in the snow?"},
		"What is photosynthesis?":          {"What is photosynthesis?"},
		"He said that they would come to the house with the red door, when?": {"He said that they would come to the house with the red door, when?"},
		"":        nil,
		"  \"\" ": nil,
	} {
		r := retrieval{talk: Talk{Messages: []Message{
			{Role: RoleUser, Parts: []Part{{Kind: PartPassage, Text: "The deposit is two months of rent."}, {Kind: PartText, Text: before}}},
			{Role: RoleAssistant, Parts: []Part{{Kind: PartText, Text: "Two months of rent."}}},
			{Role: RoleUser, Parts: []Part{{Kind: PartText, Text: question}}},
		}}}
		if got := r.questions(); !slices.Equal(got, wanted) {
			t.Errorf("%q is searched for as %q, want %q", question, got, wanted)
		}
		r.talk.Messages = r.talk.Messages[2:]
		if got := r.questions(); len(got) > 1 {
			t.Errorf("%q without one before it is searched for as %q", question, got)
		}
	}
}

// What asks for several things is searched for by each of them, in English and German.
func TestPartsOf(t *testing.T) {
	for question, wanted := range map[string][]string{
		"How high is the rent and which animals are allowed?":                         {"How high is the rent", "which animals are allowed?"},
		"How high is the rent? Which animals are allowed?":                            {"How high is the rent?", "Which animals are allowed?"},
		"Wie hoch ist die Miete, und welche Tiere sind erlaubt?":                      {"Wie hoch ist die Miete", "welche Tiere sind erlaubt?"},
		"What is the capital of Finland and what are its official languages?":         {"What is the capital of Finland", "What is the capital of Finland what are its official languages?"},
		"How high is the rent, when is it due, and who repairs the broken boiler?":    {"How high is the rent, when is it due", "who repairs the broken boiler?"},
		"Who painted the blue boat? What did the engine cost? Where does it lie now?": {"Who painted the blue boat?", "What did the engine cost?", "What did the engine cost? Where does it lie now?"},
		"When and where does the meeting take place?":                                 nil,
		"When was Kepler born and where?":                                             nil,
		"What is said about salt and pepper?":                                         nil,
		"Who has to repair the boiler of the flat?":                                   nil,
		"Why?": nil,
		"":     nil,
	} {
		if wanted == nil {
			wanted = []string{question}
		}
		if got := partsOf(question); !slices.Equal(got, wanted) {
			t.Errorf("%q has the parts %q, want %q", question, got, wanted)
		}
	}
}

// Small models get sentences without the headings between them.
func TestShortText(t *testing.T) {
	for text, wanted := range map[string]string{
		"# Rules\n\nDogs stay\noutside.\n\n  ## Parking\n\nVisitors park here.": "Dogs stay outside. Visitors park here.",
		"# Only a heading":   "# Only a heading",
		"Issue\n#7 is open.": "Issue #7 is open.",
		"":                   "",
	} {
		if got := shortText(text); got != wanted {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

// A model that continues texts ends where the texts that it learned from end, besides where the
// person says; a model that converses has marks of its own.
func TestTextsEndAtTheirMarks(t *testing.T) {
	for kind, want := range map[string][]string{
		library.KindText: {"\n\n", "<|end_story|>", "<|endoftext|>", "</s>"},
		library.KindChat: {"\n\n"},
	} {
		h := &loaded{chat: &Writer{Model: library.Model{Kind: kind}}}
		x := Choices{Stop: []string{"\n\n"}}
		if o := h.replyOptions(x, base.Preset{}); !slices.Equal(o.Stop, want) {
			t.Errorf("%s stops at %q, want %q", kind, o.Stop, want)
		}
		if len(x.Stop) != 1 {
			t.Errorf("the person's choices became %q", x.Stop)
		}
	}
}

// Answers in the window guess where that pays, and never by a second model that takes memory unasked.
func TestChatsGuessWhereItPays(t *testing.T) {
	h := &loaded{chat: &Writer{Model: library.Model{Kind: library.KindChat}}}
	if o := h.replyOptions(Choices{}, base.Preset{}); o.Draft != pipeline.DraftAuto || o.Drafter != nil {
		t.Errorf("answers guess by %q, and with %v", o.Draft, o.Drafter)
	}
}
