package pipeline

import (
	"context"
	"iter"
	"time"

	"inglenook/engine"
)

// Message is one turn of a conversation.
type Message struct {
	Role     string // "system", "user", "assistant", or another that the chat template knows
	Content  string
	Thinking string // what the assistant thought before it answered
}

// ReplyOptions say how to answer; the zero value answers as the model's makers
// suggest.
type ReplyOptions struct {
	MaxTokens  int       // of the answer; 0: until the model ends it or the context is full
	Sampling   *Sampling // nil: the model's own, as in GeneratorInfo.Sampling
	Stop       []string  // texts before which the answer ends
	JSON       bool      // the answer is one JSON object, without thinking before it
	JSONSchema []byte    // the answer is one JSON value that this schema allows
	IgnoreEnd  bool      // goes on after the model's own end, for measurements

	// Variables are further ones of the chat template, such as enable_thinking.
	Variables map[string]any
	// Progress tells how many tokens of the prompt are read, of those that had
	// to be read. It is called between the chunks, and again where a device failed
	// and all has to be read anew on another.
	Progress func(done, total int)
	// Prefix is where to find what was read of the prompt before; nil: nowhere.
	Prefix *Prefix
	// Profile asks for Started.Profile and Finished.Profile.
	Profile bool
}

// Token is one token of an answer. The Texts of all, joined, are the answer;
// one is empty where a character or a possible stop text is not complete, and
// the last may hold text of several.
type Token struct {
	ID       int32 // -1 where the entry has text, or an end, but no token of its own
	Text     string
	Thinking bool          // Text belongs to what the model thinks before it answers
	Took     time.Duration // to make it, once the one before was there (the first: once the prompt was read)

	// Notice is a sentence for a person about what happened on the way to this
	// token: a device failed, say, and another one took over.
	Notice string

	Started  *Started  // of the first alone
	Finished *Finished // of the last alone
}

// Started says how an answer began.
type Started struct {
	Plan
	Reused    int           // tokens of the prompt that the cache held from before
	Recalled  int           // of them those that came from ReplyOptions.Prefix
	Took      time.Duration // to read the others
	Seed      uint64        // gives the same answer again
	Device    string
	Fallbacks []engine.Fallback
	Profile   Profile // of reading the prompt
}

// Finished says how an answer ended.
type Finished struct {
	Reason    string // FinishStop …
	Stop      string // the stop text that ended it
	Tokens    int    // of the answer, a closing control token included
	Took      time.Duration
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // those of all tokens
	Profile   Profile  // of making the answer
}

// The reasons for which an answer ends.
const (
	FinishStop      = "stop"      // the model ended it, or it came to a stop text
	FinishLength    = "length"    // MaxTokens
	FinishContext   = "context"   // the context is full
	FinishCancelled = "cancelled" // the caller's context ended; its error comes with the last entry
	FinishError     = "error"     // which comes with the last entry
)

// Plan is what a conversation would take of the context, and what would be left
// out of it. Nothing is left out that a Plan did not name.
type Plan struct {
	Context      int   // tokens that the model sees at once
	PromptTokens int   // of what would be sent
	Room         int   // tokens that remain for the answer
	Dropped      []int // messages that would be left out, by their index
	AllTokens    int   // of the prompt if nothing were left out
}

// Plan tells what Reply would send. Where a conversation does not fit, whole
// turns go, the oldest first; the system prompt and the last turn stay. The
// error says in a sentence when these alone are too long.
func (g *Generator) Plan(ctx context.Context, chat []Message, o ReplyOptions) (Plan, error) {
	p, err := g.plan(ctx, chat, o)
	return p.Plan, err
}

// Reply answers a conversation token by token. A last message of the assistant
// is continued. What the cache still holds of the prompt is not read again; the
// rest is read in chunks. Ending the loop early is fine, and the next Reply goes
// on from what was read by then. An error ends the answer; the entry that
// brings it holds the text that was still to come.
//
// Answers of one Generator are made one after the other: a second waits until
// the first loop has ended.
func (g *Generator) Reply(ctx context.Context, chat []Message, o ReplyOptions) iter.Seq2[Token, error] {
	return g.reply(ctx, o, func(ctx context.Context) (prompt, error) { return g.plan(ctx, chat, o) })
}

// Complete continues a text as it stands, without a chat template.
func (g *Generator) Complete(ctx context.Context, text string, o ReplyOptions) iter.Seq2[Token, error] {
	return g.reply(ctx, o, func(context.Context) (prompt, error) { return g.rawPrompt(text) })
}

// CompleteIDs continues a sequence of token ids.
func (g *Generator) CompleteIDs(ctx context.Context, ids []int32, o ReplyOptions) iter.Seq2[Token, error] {
	return g.reply(ctx, o, func(context.Context) (prompt, error) { return g.idPrompt(ids) })
}
