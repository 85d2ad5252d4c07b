package chat

import (
	"context"
	"strings"

	"inglenook/app/documents"
	"inglenook/documents/chunk"
)

// fit chooses the passages that go with the question: the best first, as many as there is
// room for. One that is too long is cut to its best sentences. The first results are the best
// ones of the parts of the question, whatever their scores.
func (r *retrieval) fit(ctx context.Context, results []documents.Result, first int, out *Retrieved) error {
	left, err := r.room(ctx)
	if err != nil {
		return err
	}
	most := max(r.most(), first)
	for i, found := range results {
		at, text := 0, found.Text
		if r.small {
			at, text = bestPiece(found, mostShortBytes)
		}
		part, err := partOf(found, at, text)
		if err != nil {
			return err
		}
		if len(out.Passages) < most && (i < first || found.Score >= leastShare*results[0].Score) && left >= leastTokens {
			taken, n, err := r.into(ctx, left, found, part)
			if err != nil {
				return err
			}
			if n <= left {
				left -= n
				out.Passages = append(out.Passages, taken)
				continue
			}
		}
		out.Others = append(out.Others, part)
	}
	if len(out.Passages) == 0 {
		out.Notes = append(out.Notes, "There is no room for passages beside this conversation; begin a new one, or choose a larger context.")
	}
	return nil
}

// into returns a passage, cut if it needs more than left tokens, and its tokens.
func (r *retrieval) into(ctx context.Context, left int, found documents.Result, part Part) (Part, int, error) {
	n, err := r.count(ctx, passagesText([]Part{part}, r.small))
	if err != nil || n <= left {
		return part, n, err
	}
	at, text := bestPiece(found, len(part.Text)*left/n-len(part.Name)) // leaves out what the fence takes
	if text == "" {
		return part, n, nil
	}
	if part, err = partOf(found, at, text); err != nil {
		return part, 0, err
	}
	n, err = r.count(ctx, passagesText([]Part{part}, r.small))
	return part, n, err
}

// leastTokens is the smallest room in which a passage still says something.
const leastTokens = 24

// Shares of the context: what is left for the answer, and what passages may have even
// where the conversation needs it, because its oldest messages can be left out.
const (
	answerShare  = 4
	passageShare = 4
)

// room returns how many tokens the passages of a question may have together.
func (r *retrieval) room(ctx context.Context) (int, error) {
	most := min(mostPassageTokens, r.context/2)
	if r.small {
		most = min(most, r.most()*mostShortBytes/bytesPerToken)
	}
	bare := r.talk
	if last := len(bare.Messages) - 1; hasPassages(bare.Messages[last]) {
		bare.Messages = withoutPassages(bare.Messages, []int{last})
	}
	used, err := r.tokens(ctx, bare)
	if err != nil {
		return 0, err
	}
	left := r.context - used - r.context/answerShare
	if earlier := earlierPassages(bare.Messages); left < most && len(earlier) > 0 { // which are left out first
		bare.Messages = withoutPassages(bare.Messages, earlier)
		if used, err = r.tokens(ctx, bare); err != nil {
			return 0, err
		}
		left = r.context - used - r.context/answerShare
	}
	return min(most, max(left, r.context/passageShare)), nil
}

// tokens are those of the prompt for a talk.
func (r *retrieval) tokens(ctx context.Context, t Talk) (int, error) {
	if r.writer == nil {
		return estimate(t.sent(r.small, false), nil, r.context).Prompt, nil
	}
	p, err := r.writer.planAsIs(ctx, t, r.options)
	if tooLong(err) {
		return r.context, nil
	}
	return p.PromptTokens, err
}

// count returns the tokens of a text. Without a model it estimates rather too many.
func (r *retrieval) count(ctx context.Context, text string) (int, error) {
	if r.writer != nil {
		if c, ok := r.writer.model.(counter); ok {
			return c.Count(ctx, text)
		}
	}
	return len(text)/(bytesPerToken-1) + 1, ctx.Err()
}

// bestPiece returns a piece of a passage of at most so many bytes, and where it begins: the
// sentence that answers best with whole sentences around it. A longer sentence is cut.
func bestPiece(r documents.Result, most int) (at int, piece string) {
	text := r.Text
	if most <= 0 {
		return 0, ""
	}
	var ends []int
	for _, sentence := range chunk.Sentences(text) {
		end := len(sentence)
		if n := len(ends); n > 0 {
			end += ends[n-1]
		}
		ends = append(ends, end)
	}
	begin := func(i int) int {
		if i == 0 {
			return 0
		}
		return ends[i-1]
	}
	first := 0
	for first < len(ends)-1 && ends[first] <= r.Best.Start {
		first++
	}
	last := first
	for grew := true; grew; {
		grew = false
		if last+1 < len(ends) && ends[last+1]-begin(first) <= most {
			last++
			grew = true
		}
		if first > 0 && ends[last]-begin(first-1) <= most {
			first--
			grew = true
		}
	}
	if len(ends) == 0 {
		return 0, ""
	}
	at = begin(first)
	piece = text[at:ends[last]]
	if len(piece) > most {
		piece = strings.ToValidUTF8(piece[:most], "")
		if space := strings.LastIndexByte(piece, ' '); space > 0 {
			piece = piece[:space]
		}
	}
	trimmed := strings.TrimLeft(piece, " \t\r\n")
	at += len(piece) - len(trimmed)
	return at, strings.TrimRight(trimmed, " \t\r\n")
}
