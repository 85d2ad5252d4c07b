package pipeline

import (
	"context"
	"fmt"

	"inglenook/tokenizer"
)

// queryRoom is how many tokens of the query are read: half of a pair.
func (r *reranker) queryRoom() int { return (r.maxLength - r.special) / 2 }

// fitQuery cuts a query that would leave the documents no room.
func (r *reranker) fitQuery(query string) (string, bool, error) {
	enc, err := r.enc.tok.Encode(query, r.read(tokenizer.Options{NoSpecial: true, Attributes: true, MaxLength: r.queryRoom() + 1}))
	if err != nil {
		return "", false, err
	}
	if len(enc.IDs) <= r.queryRoom() {
		return query, false, nil
	}
	return query[:enc.Offsets[r.queryRoom()-1][1]], true, nil
}

// pairs encodes the query with every window of every document; owner[i] is the
// document of pair i.
func (r *reranker) pairs(ctx context.Context, query string, documents []string) (pairs []tokenizer.Encoding, owner []int, err error) {
	tok := r.enc.tok
	q, err := tok.Encode(query, r.read(tokenizer.Options{NoSpecial: true}))
	if err != nil {
		return nil, nil, err
	}
	docs, err := tok.EncodeBatch(ctx, documents, r.read(tokenizer.Options{NoSpecial: true, Attributes: true}))
	if err != nil {
		return nil, nil, err
	}
	room := r.maxLength - r.special - len(q.IDs)
	for d, enc := range docs {
		for _, w := range windows(enc.Offsets, room, len(documents[d])) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			p, err := r.pair(ctx, query, documents[d][w[0]:w[1]])
			if err != nil {
				return nil, nil, fmt.Errorf("text %d: %w", d+1, err)
			}
			pairs, owner = append(pairs, p), append(owner, d)
		}
	}
	return pairs, owner, nil
}

// pair encodes the query with one window.
func (r *reranker) pair(ctx context.Context, query, window string) (tokenizer.Encoding, error) {
	if r.asker == nil {
		return r.enc.tok.EncodePair(query, window, readTyped(tokenizer.Options{MaxLength: r.maxLength}))
	}
	ids, err := r.asker.IDs(ctx, query, window)
	return tokenizer.Encoding{IDs: ids}, err
}

// read lets the tokenizer read a typed control token as one, unless it could break out of
// a prompt.
func (r *reranker) read(o tokenizer.Options) tokenizer.Options {
	if r.asker != nil {
		return o
	}
	return readTyped(o)
}

// windows cuts a text of the given token offsets into byte ranges of at most
// room tokens. The ranges overlap by a quarter and end between words if
// possible.
func windows(offsets [][2]int, room, length int) [][2]int {
	if len(offsets) <= room {
		return [][2]int{{0, length}}
	}
	var out [][2]int
	for from := 0; ; {
		to := min(from+room, len(offsets))
		if to == len(offsets) {
			return append(out, [2]int{offsets[from][0], length})
		}
		to = wordStart(offsets, to, from+room*3/4+1)
		out = append(out, [2]int{offsets[from][0], offsets[to-1][1]})
		from = wordStart(offsets, max(from+1, to-room/4), from+1)
	}
}

// wordStart moves i back to a token that begins after a gap in the text, but
// not below low. It returns i itself if there is no such token.
func wordStart(offsets [][2]int, i, low int) int {
	for j := i; j >= low && j > 0; j-- {
		if offsets[j][0] > offsets[j-1][1] {
			return j
		}
	}
	return i
}
