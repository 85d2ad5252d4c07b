package sampling

import (
	"slices"
	"strings"
)

// Segment is a part of a reply.
type Segment struct {
	Text     string
	Thinking bool // in the thinking block; otherwise in the answer
}

// Tags delimit a model's thinking.
type Tags struct{ Open, Close string }

// ThinkingTags returns the tags in use: by DeepSeek R1, Qwen 3 and most others,
// by models trained on their output, by Magistral and Ministral 3, by Command A
// Reasoning, by Gemma 4, by Seed-OSS, by MiniMax M3, by Apertus.
func ThinkingTags() []Tags {
	return []Tags{
		{"<think>", "</think>"},
		{"<thinking>", "</thinking>"},
		{"[THINK]", "[/THINK]"},
		{"<|START_THINKING|>", "<|END_THINKING|>"},
		{"<|channel>thought", "<channel|>"},
		{"<seed:think>", "</seed:think>"},
		{"<mm:think>", "</mm:think>"},
		{"<|inner_prefix|>", "<|inner_suffix|>"},
	}
}

// ChannelTags returns the tags of gpt-oss, whose replies are messages on channels: what
// stands before the final message is thinking, and a final message alone is all
// answer. They are control tokens that mean something else to other models.
func ChannelTags() []Tags {
	const final = "<|end|><|start|>assistant<|channel|>final<|message|>"
	return []Tags{
		{"<|channel|>analysis<|message|>", final},
		{"<|channel|>commentary<|message|>", final},
		{"<|channel|>final<|message|>", ""},
	}
}

// Thinker separates thinking from the answer in a reply that arrives in pieces,
// wherever the pieces are split. Only a block at the beginning of a reply
// counts, ignoring white space; later tags are text, because an answer may
// mention them. A block that never ends is thinking to the end. White space
// around the tags is dropped. An answer behind a block may stand between tags of
// its own, as Hunyuan and Granite 3 write it; these are dropped too.
type Thinker struct {
	tags     []Tags
	place    place
	tag      Tags // of the open block
	prompted bool // the prompt opened it; models sometimes open it again
	closed   bool // the prompt closed a block
	held     string
}

type place uint8

const (
	beforeBlock  place = iota // a tag may open a block
	blockBegins               // in a block, before its first letter
	inBlock                   // in a block
	answerBegins              // after a block, before the answer's first letter
	inTagged                  // in an answer between tags
	inAnswer
)

const space = " \t\r\n"

// answerTags are the tags around an answer behind a block: of Hunyuan, of Granite 3.
func answerTags() []Tags {
	return []Tags{{"<answer>", "</answer>"}, {"<response>", "</response>"}}
}

// NewThinker returns a Thinker for the reply to a prompt. The end of the prompt
// tells whether the chat template already opened the block. tags may be
// [ThinkingTags] or [ChannelTags].
func NewThinker(tags []Tags, prompt string) *Thinker {
	t := &Thinker{tags: tags}
	prompt = strings.TrimRight(prompt, space)
	for _, tag := range tags {
		switch {
		case strings.HasSuffix(prompt, tag.Open):
			t.place, t.tag, t.prompted = blockBegins, tag, true
		case tag.Close != "" && strings.HasSuffix(prompt, tag.Close):
			t.closed = true
		}
	}
	return t
}

// Push takes the next piece and returns the parts of the reply that are
// certain.
func (t *Thinker) Push(piece string) []Segment { return t.read(piece, false) }

// Flush returns the text held back, at the end of the reply.
func (t *Thinker) Flush() []Segment { return t.read("", true) }

// read returns what it can of the text, place by place, and holds the rest
// back.
func (t *Thinker) read(piece string, ends bool) (out []Segment) {
	t.held += piece
	for {
		before := t.place
		text := t.step(ends)
		if text != "" {
			out = append(out, Segment{text, before == inBlock})
		}
		if t.place == before {
			return out
		}
	}
}

// step returns what is certain at the current place. It may advance to the next
// place.
func (t *Thinker) step(ends bool) string {
	switch t.place {
	case beforeBlock:
		t.open(t.tags, inAnswer, ends)
	case blockBegins:
		if t.held = strings.TrimLeft(t.held, space); t.prompted {
			t.open([]Tags{t.tag}, inBlock, ends)
		} else if t.held != "" {
			t.place = inBlock
		}
	case inBlock:
		return t.upTo(t.tag.Close, answerBegins, ends)
	case answerBegins:
		t.answer(ends)
	case inTagged:
		return t.upTo(t.tag.Close, inAnswer, ends)
	case inAnswer:
		text := t.held
		t.held = ""
		return text
	}
	return ""
}

// open looks for one of the tags at the beginning and enters its block, or goes
// to the other place once it is certain that there is no tag.
func (t *Thinker) open(tags []Tags, other place, ends bool) {
	text := strings.TrimLeft(t.held, space)
	for _, tag := range tags {
		if rest, ok := strings.CutPrefix(text, tag.Open); ok {
			t.place, t.tag, t.prompted, t.held = blockBegins, tag, false, rest
			return
		}
	}
	for _, tag := range tags {
		if strings.HasPrefix(tag.Open, text) && !ends {
			return // it may still come
		}
	}
	if t.closed && mayOpen(text) && !ends {
		return
	}
	t.place = other
	if t.closed && slices.ContainsFunc(answerTags(), func(a Tags) bool { return strings.HasPrefix(text, a.Open) }) {
		t.place = answerBegins
	}
}

// answer enters the answer, and leaves out a tag before it.
func (t *Thinker) answer(ends bool) {
	t.held = strings.TrimLeft(t.held, space)
	for _, tag := range answerTags() {
		if rest, ok := strings.CutPrefix(t.held, tag.Open); ok {
			if rest = strings.TrimLeft(rest, space); rest != "" || ends { // else white space may follow
				t.place, t.tag, t.held = inTagged, tag, rest
			}
			return
		}
	}
	if t.held != "" && (ends || !mayOpen(t.held)) {
		t.place = inAnswer
	}
}

// mayOpen reports whether the text may go on as a tag around an answer.
func mayOpen(text string) bool {
	return slices.ContainsFunc(answerTags(), func(a Tags) bool { return strings.HasPrefix(a.Open, text) })
}

// upTo returns text up to the closing tag, behind which the next place is, or up
// to white space and what may be the beginning of that tag.
func (t *Thinker) upTo(closing string, next place, ends bool) string {
	if text, rest, ok := strings.Cut(t.held, closing); ok {
		t.place, t.held = next, rest
		return strings.TrimRight(text, space)
	}
	sure := t.held
	if !ends {
		sure = sure[:len(sure)-overlap(sure, closing)]
	}
	sure = strings.TrimRight(sure, space)
	t.held = t.held[len(sure):]
	return sure
}
