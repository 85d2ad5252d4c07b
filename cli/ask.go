package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"inglenook/app/base"
	talks "inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/plain"
)

// asking is one question and its answer, from documents where there is a collection.
type asking struct {
	*call
	open     *talks.Writer
	settings *chatSettings
	writer   *writer
	anyway   bool // without documents
	talks    bool // in a talk, where messages that do not fit are left out

	passages []talks.Part
	claims   []talks.Claim
}

// answer answers a question behind earlier messages. What is found for it becomes part of it.
func (a *asking) answer(ctx context.Context, earlier []talks.Message, question *talks.Message, o talks.ReplyOptions) (talks.Answer, error) {
	messages := append(slices.Clone(earlier), *question)
	if a.settings.collection != "" && !a.anyway && len(talks.Passages(question.Parts)) == 0 {
		missing, err := a.retrieve(ctx, messages, o)
		if err != nil {
			return talks.Answer{}, err
		}
		if missing != "" {
			return a.say(missing), nil
		}
		question.Parts = slices.Concat(a.passages, question.Parts)
		messages[len(earlier)] = *question
	}
	a.passages = talks.Passages(question.Parts)
	a.list()
	prompt, err := a.open.PlanTalk(ctx, a.settings.talk(messages), o)
	if err != nil {
		return talks.Answer{}, err
	}
	if a.talks {
		a.note(leftOut(prompt, messages))
	}
	a.clearBar()
	got, err := talks.Collect(a.open.Reply(ctx, prompt.Prompt, o), a.writer.token)
	if err == nil && len(a.passages) > 0 {
		a.claims, err = a.Chat().Judge(ctx, *question, got.Text)
	}
	return got, err
}

// retrieve finds the passages of the last message, or says why there are none.
func (a *asking) retrieve(ctx context.Context, messages []talks.Message, o talks.ReplyOptions) (missing string, err error) {
	found, err := a.Chat().RetrieveFor(ctx, a.open, a.settings.talk(messages), a.settings.collection, o)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && a.talks:
		return "", fmt.Errorf("the documents cannot be searched: %w; /collection alone goes on without documents", err)
	case err != nil:
		return "", fmt.Errorf("the documents cannot be searched: %w; without --collection the model answers alone", err)
	}
	a.note(found.Notes...)
	a.passages = found.Passages
	return found.Missing, nil
}

// say answers in the program's own words, which are JSON where JSON is wanted. No schema can
// be kept to: its fields would have to be made up.
func (a *asking) say(missing string) talks.Answer {
	text := talks.NotFound(missing)
	if a.settings.format == "json" {
		data, _ := json.Marshal(notFoundJSON{text}) // a string can always be written
		text = string(data)
	}
	a.writer.token(talks.Token{ID: -1, Text: text})
	got := talks.Answer{Text: text}
	got.Finished.Reason = talks.FinishNotFound
	return got
}

// list prints which passages go with the question.
func (a *asking) list() {
	if a.call.json || len(a.passages) == 0 {
		return
	}
	a.printf("From %s:\n", plural(len(a.passages), "passage"))
	for i, p := range a.passages {
		a.printf("  [%d] %s\n", i+1, p.Name)
	}
	a.printf("\n")
	_ = a.out.Flush()
}

// print prints behind an answer which passage supports which sentence, and what none does.
func (a *asking) print(answer string) {
	if len(a.claims) == 0 {
		return
	}
	a.printf("\n")
	for i, p := range a.passages {
		for _, c := range a.claims {
			if c.Passage == i {
				a.printf("  [%d] %s: “%s”\n", i+1, placeOf(p, c.BestStart), plain.Line(p.Text[c.BestStart:c.BestEnd], maxQuote))
			}
		}
	}
	for _, c := range a.claims {
		if c.Passage < 0 {
			a.printf("  Not found in the documents: “%s”%s\n", plain.Line(answer[c.Start:c.End], maxQuote), inBrackets(c.Why))
		}
	}
	_ = a.out.Flush()
}

// maxQuote is how many characters of a sentence are printed.
const maxQuote = 300

func inBrackets(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

// placeOf says where a byte of a passage is from, with the path of its file.
func placeOf(p talks.Part, at int) string {
	s, ok := talks.SourceOf(p)
	if !ok {
		return p.Name
	}
	path := base.ShortPath(s.Path)
	if place := documents.PlaceInWords(s.Path, s.Page, s.LineAt(p.Text, at)); place != "" {
		return path + ", " + place
	}
	return path
}

// passageJSON is a passage that goes with a question.
type passageJSON struct {
	Name    string  `json:"name"`
	Path    string  `json:"path"`
	Page    int     `json:"page,omitempty"`
	Line    int     `json:"line"`
	Start   int     `json:"start"` // bytes of the document's text
	End     int     `json:"end"`
	Heading string  `json:"heading,omitempty"`
	Text    string  `json:"text"`
	Score   float64 `json:"score"`
}

// notFoundJSON is the answer of --format json where the documents do not answer a question.
type notFoundJSON struct {
	NotFound string `json:"not_found"`
}

// claimJSON is a sentence of the answer.
type claimJSON struct {
	Text string `json:"text"`
	talks.Claim
}

// restsOn returns what the answer rests on; nil where no documents were asked.
func (a *asking) restsOn(answer string) (passages []passageJSON, claims []claimJSON) {
	if a.settings.collection == "" {
		return nil, nil
	}
	passages, claims = []passageJSON{}, []claimJSON{}
	for _, p := range a.passages {
		s, _ := talks.SourceOf(p)
		passages = append(passages, passageJSON{p.Name, s.Path, s.Page, s.Line, s.Start, s.End, s.Heading, p.Text, s.Score})
	}
	for _, c := range a.claims {
		claims = append(claims, claimJSON{answer[c.Start:c.End], c})
	}
	return passages, claims
}
