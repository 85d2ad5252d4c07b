package chat

import (
	"context"
	"math"
	"strings"

	"inglenook/app/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/shape"
	"inglenook/documents/words"
)

// fit chooses the passages that go with the question: the best first, as many as there is
// room for. One that says what another says is left out, a copy rather than the original. One that is too
// long is cut to its best sentences. The first results are the best
// ones of the parts of the question, whatever their scores.
func (r *retrieval) fit(ctx context.Context, results []documents.Result, first int, out *Retrieved) error {
	left, err := r.room(ctx)
	if err != nil {
		return err
	}
	if r.quoted { // which no model reads
		left = math.MaxInt
	}
	most := max(r.most(), first)
	for i, found := range results {
		at, text := 0, found.Text
		switch {
		case r.quoted:
			at, text = leadingPiece(found, mostShortBytes)
		case r.small:
			at, text = bestPiece(found, mostShortBytes)
		}
		part, err := partOf(found, at, text)
		if err != nil {
			return err
		}
		if at := repeated(out.Passages, part); at >= 0 { // it says nothing more
			if isCopyOf(out.Passages[at], part) && len(part.Text) <= len(out.Passages[at].Text) {
				out.Passages[at] = part
			}
			continue
		}
		if repeated(out.Others, part) >= 0 {
			continue
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
	most := r.size()
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
// sentence or row that answers best with whole ones around it. A longer one is cut.
func bestPiece(r documents.Result, most int) (at int, piece string) {
	text, ends := r.Text, unitEnds(r)
	if most <= 0 || len(ends) == 0 {
		return 0, ""
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
	at = begin(first)
	piece = text[at:ends[last]]
	if len(piece) > most {
		piece = strings.ToValidUTF8(piece[:most], "")
		if space := strings.LastIndexByte(piece, ' '); space > 0 {
			piece = piece[:space]
		}
	}
	trimmed := strings.TrimLeft(piece, " \t\r\n")
	if documents.IsCode(formatOf(r)) { // of which the first line stays as far in as it is
		trimmed = strings.TrimLeft(piece, "\r\n")
	}
	at += len(piece) - len(trimmed)
	return at, strings.TrimRight(trimmed, " \t\r\n")
}

// unitEnds are where the sentences of a passage end, the rows of its tables, and the lines of a program: none of them is cut
// without need.
func unitEnds(r documents.Result) (ends []int) {
	if formatOf(r) == "csv" {
		return rowEnds(r.Text)
	}
	at := 0
	if documents.IsCode(formatOf(r)) {
		for line := range strings.Lines(r.Text) {
			at += len(line)
			ends = append(ends, at)
		}
		return ends
	}
	for _, sentence := range chunk.Sentences(r.Text) {
		if strings.Contains(sentence, shape.Stroke) {
			for line := range strings.Lines(sentence) {
				at += len(line)
				ends = append(ends, at)
			}
			continue
		}
		at += len(sentence)
		ends = append(ends, at)
	}
	return ends
}

// rowEnds are where the rows of a CSV file end. A quoted cell may have line ends.
func rowEnds(text string) (ends []int) {
	at, within := 0, false
	for line := range strings.Lines(text) {
		at += len(line)
		if strings.Count(line, `"`)%2 == 1 {
			within = !within
		}
		if !within {
			ends = append(ends, at)
		}
	}
	if n := len(ends); n == 0 || ends[n-1] < at {
		ends = append(ends, at)
	}
	return ends
}

func formatOf(r documents.Result) string {
	if len(r.Files) == 0 {
		return ""
	}
	return documents.FormatNamed(r.Files[0].Path)
}

// tableAt is the table that a passage has at a byte: the row that names its columns, which may stand
// before the passage, and the rows below it; no rows: there is none.
func tableAt(r documents.Result, at int) (columns string, rows []Span) {
	t, _ := shape.TableAt(r.Chunk, formatOf(r), at)
	return t.Names, t.Rows
}

// bestLine sets Best of a program to the line with the most words of a question.
func bestLine(question string, r *documents.Result) {
	if !documents.IsCode(formatOf(*r)) {
		return
	}
	asked := telling(question)
	highest, at := 0.0, 0
	for line := range strings.Lines(r.Text) {
		if share := sharedWords(asked, line); share > highest {
			r.Best, highest = Span{Start: at, End: at + len(line)}, share
		}
		at += len(line)
	}
}

// bestRow sets Best, where it is in a table, to the row with the most words of a question, of which
// those count more that few rows have. A table has no sentences to choose from.
func bestRow(question string, r *documents.Result) {
	_, rows := tableAt(*r, r.Best.Start)
	asked := map[string]bool{}
	for _, w := range words.Split(question) {
		if !words.Frequent(w) && !asks[w] {
			asked[words.Stem(w)] = true
		}
	}
	found, count := make([]map[string]bool, len(rows)), map[string]float64{}
	for i, row := range rows {
		found[i] = map[string]bool{}
		for _, w := range words.Split(r.Text[row.Start:row.End]) {
			if stem := words.Stem(w); asked[stem] && !found[i][stem] {
				found[i][stem] = true
				count[stem]++
			}
		}
	}
	highest := 0.0
	for i, row := range rows {
		score := 0.0
		for stem := range found[i] {
			score += 1 / count[stem]
		}
		if score > highest {
			r.Best, highest = row, score
		}
	}
}
