package pipeline

import (
	"context"
	"io"
	"iter"

	"inglenook/sampling"
)

// Sampling says how the next token is chosen from the model's scores.
type Sampling = sampling.Options

// DefaultSampling returns settings that suit most models. They hold where the makers of
// a model say nothing else.
func DefaultSampling() Sampling { return sampling.Default() }

// Writer is an open language model. [Generator] computes on this machine; one that
// sends the messages to another machine is another implementation.
//
// What only some can do is a small interface where it is used: a Generator also
// counts the tokens of a text, continues token ids, and copies what it has read to
// a file and back.
type Writer interface {
	Info() GeneratorInfo

	// Plan returns the prompt that Reply sends for a conversation. A last message of
	// the assistant is to be continued. What does not fit the context is left out,
	// and Dropped names it.
	Plan(ctx context.Context, chat []Message, o ReplyOptions) (Prompt, error)

	// Reply answers a prompt of Plan, made with the same options, token by token.
	// Ending the loop early is fine. An error ends the answer; the entry that brings
	// it holds the text that was still to come. A second answer waits until the loop
	// of the first has ended.
	Reply(ctx context.Context, p Prompt, o ReplyOptions) iter.Seq2[Token, error]

	io.Closer
}

// Answer plans and replies at once, for callers that do not ask what is left out.
func Answer(ctx context.Context, w Writer, chat []Message, o ReplyOptions) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		p, err := w.Plan(ctx, chat, o)
		if err != nil {
			yield(Token{ID: -1}, err)
			return
		}
		w.Reply(ctx, p, o)(yield)
	}
}

// Embedder turns texts into vectors.
type Embedder interface {
	Info() EmbedderInfo
	// Embed returns one vector a text, in order.
	Embed(ctx context.Context, texts []string, r EmbedRequest) (Embeddings, error)
	io.Closer
}

// TokenCounter is an Embedder that knows how long texts are for it.
type TokenCounter interface {
	// CountTokens returns how many tokens each text has as Embed reads it, prompt
	// and special tokens included, if it were not cut at MaxLength.
	CountTokens(ctx context.Context, texts []string, r EmbedRequest) ([]int, error)
}

// Reranker scores documents by how well they answer a query.
type Reranker interface {
	Info() RerankerInfo
	// Score returns one score a document, in order.
	Score(ctx context.Context, query string, documents []string, r RerankRequest) (Scores, error)
	io.Closer
}
