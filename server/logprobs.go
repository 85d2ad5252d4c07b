package server

import (
	"strings"
	"unicode/utf8"

	"inglenook/app/chat"
)

// maxTopLogprobs is how many likely tokens may be asked for in the place of each one.
const maxTopLogprobs = 20

// logprobs asks for them in a request.
func (q *ask) logprobs(field string, wanted bool, most *int) error {
	n := 0
	if most != nil {
		n = *most
	}
	switch {
	case n < 0 || n > maxTopLogprobs:
		return wrong(field, "%s is %d; give a number from 0 to %d", field, n, maxTopLogprobs)
	case n > 0 && !wanted:
		return wrong(field, "%s needs logprobs to be true", field)
	}
	q.options.Logprobs, q.options.TopLogprobs = wanted, n
	return nil
}

// likely is a token with the logarithm of its probability. Broken characters of its text are marked; its bytes are as
// they are.
type likely struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

// tokenLogprob is a token of an answer beside the likeliest ones in its place.
type tokenLogprob struct {
	likely
	Top []likely `json:"top_logprobs"`
}

func likelyOf(l chat.Logprob) likely {
	out := likely{Token: tokenText(l), Logprob: l.Logprob, Bytes: []int{}}
	for _, b := range l.Bytes {
		out.Bytes = append(out.Bytes, int(b))
	}
	return out
}

func tokenText(l chat.Logprob) string { return strings.ToValidUTF8(string(l.Bytes), "\uFFFD") }

// logprobsOf are those of tokens, or nil.
func logprobsOf(list []chat.Logprob) (out []tokenLogprob) {
	for _, l := range list {
		x := tokenLogprob{likely: likelyOf(l), Top: []likely{}}
		for _, t := range l.Top {
			x.Top = append(x.Top, likelyOf(t))
		}
		out = append(out, x)
	}
	return out
}

// chatLogprobs are those of a message, or of a piece of one.
type chatLogprobs struct {
	Content []tokenLogprob `json:"content"`
	Refusal *string        `json:"refusal"`
}

// chatLogprobsOf returns nil where there are none.
func chatLogprobsOf(list []chat.Logprob) *chatLogprobs {
	if len(list) == 0 {
		return nil
	}
	return &chatLogprobs{Content: logprobsOf(list)}
}

// textLogprobs are those of a continued text, or of a piece of one, in the form of /v1/completions.
type textLogprobs struct {
	Tokens  []string             `json:"tokens"`
	Scores  []float64            `json:"token_logprobs"`
	Top     []map[string]float64 `json:"top_logprobs"` // two tokens of the same text count once: the likelier one
	Offsets []int                `json:"text_offset"`  // of the tokens, in the answer, in characters
}

// textLogprobsOf returns nil where there are none. from is where the next token begins in the answer.
func textLogprobsOf(list []chat.Logprob, from *int) *textLogprobs {
	if len(list) == 0 {
		return nil
	}
	x := &textLogprobs{Top: []map[string]float64{}}
	for _, l := range list {
		x.Tokens = append(x.Tokens, tokenText(l))
		x.Scores = append(x.Scores, l.Logprob)
		top := map[string]float64{}
		for _, t := range l.Top {
			if text := tokenText(t); top[text] == 0 {
				top[text] = t.Logprob
			}
		}
		x.Top = append(x.Top, top)
		x.Offsets = append(x.Offsets, *from)
		*from += utf8.RuneCountInString(tokenText(l))
	}
	return x
}
