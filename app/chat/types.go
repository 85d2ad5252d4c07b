package chat

import (
	"context"
	"fmt"
	"time"

	"inglenook/app/library"
	"inglenook/app/tools"
)

// Loaded is the model that answers in conversations.
type Loaded struct {
	Model   library.Model
	Info    ChatInfo
	Choices Choices // under which it was opened: model, device, weights, KV, context
	Plain   bool    // it continues texts and does not converse: see [Service.Answer]
	Since   time.Time
}

// ModelChoice is a language model of this computer.
type ModelChoice struct {
	Model      library.Model
	Plain      bool // it continues texts and does not converse
	Loaded     bool
	Fits       string // one of the Fits constants; empty where Why says that it cannot be used at all
	NeedsBytes int64  // weights, the usual context and what it takes to work; 0: unknown
	FreeBytes  int64  // with what the loaded model would give back; 0: unknown
	Why        string // one sentence where it does not fit well
}

// MeterRequest asks what of the context a message that is being written would take.
type MeterRequest struct {
	Conversation string // "": a new one
	After        int64  // the message that the draft would follow; 0: none
	Draft        []Part
	Choices      Choices // of a new conversation; those of another one are its own, but for the model and where it runs
}

// Meter is what of the context a message would take, in tokens.
type Meter struct {
	Context  int     // that the model sees at once; 0: no model is loaded, and its files do not say
	Prompt   int     // of all that would be sent: system prompt, messages and draft
	Draft    int     // of them the draft
	Attached []int   // of them each of its files
	Passages []int   // of them each of its passages
	Room     int     // left for the answer; 0 or less: it does not fit, where Context is known
	Dropped  []int64 // messages that would be left out, the oldest first
	LeftOut  int     // earlier questions whose passages would be left out before that
	Exact    bool    // false: no model is loaded, so these are estimates
}

// AnswerRequest asks for an answer. There are three kinds: with Parts that are not blank
// the person's message is added after After (0: as a beginning) and answered; without,
// After is a message of the person that is answered again, as another branch; with
// Continue, that answer goes on: in its place if it was cut and nothing follows it, else in a copy
// beside it.
type AnswerRequest struct {
	Conversation string
	After        int64
	Parts        []Part
	Continue     int64
	MayDrop      bool // what does not fit the context may be left out

	// Retrieved says that Parts hold the passages that the person saw and may have changed.
	// Otherwise Answer finds them where the conversation has a collection, also for a
	// message of After that has none; it then answers a copy of the message beside it.
	Retrieved bool
	// Anyway asks the model without documents.
	Anyway bool

	// Approve asks the person about a call of a tool. It returns when the person answers or
	// ctx ends. Without it no tool is offered.
	Approve func(ctx context.Context, q ToolQuestion) tools.Verdict
}

// The stages of an answer.
const (
	StageWaiting = "waiting" // another answer is being made, or a model loaded
	StageOpening = "opening" // the model is loaded: bytes; base.StageTesting may come before
	StageWriting = "writing" // tokens of the answer
	// StageSearching comes first, before the person's message is in the conversation.
	StageSearching = "searching"
	StageChecking  = "checking" // which passages support the answer
	StageTools     = "tools"    // tool servers begin, or a tool runs
	// StageServer comes once a second until a server begins its answer: Done is in seconds.
	StageServer = "server"
	// StageEnded comes last for each of two answers, of which the other one may go on.
	StageEnded = "ended"
	// StageReading tells tokens of the prompt.
)

// AnswerStep tells how an answer goes on. Text and Thinking are to be appended to
// what the message holds; the store holds them already.
type AnswerStep struct {
	Stage          string // StageSearching, StageWaiting, base.StageTesting, StageOpening, StageReading, StageWriting, StageChecking, StageEnded
	Done, Total    int64
	Asked, Answer  int64 // ids of the two messages, 0 until they are known
	Text, Thinking string
	Server         string   // that is awaited, with StageServer
	Notice         string   // a sentence about a device that failed, say
	Unreached      []string // sentences about tool servers that the answer goes without
	Tools          int      // that were asked for so far, each with a part of the message; 0: as before
}

// OverflowError says that a conversation does not fit the context whole. The
// person's message is in the conversation already and nothing else happened: to
// go on, ask for an answer to Asked with MayDrop.
type OverflowError struct {
	Asked   int64
	Dropped []int64 // messages that would be left out, the oldest first
	Needed  int     // tokens of the whole prompt
	Context int     // tokens that the model sees at once
	Room    int     // of these, that are kept for the answer
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("this conversation has %d tokens and the context holds %d, so the %s would be left out; allow that, choose a larger context, or start a new conversation",
		e.Needed, e.Context, oldestMessages(len(e.Dropped)))
}

// UnsearchedError says that the documents of a conversation cannot be searched. The person's
// message is in the conversation already and nothing else happened: to go on, ask for an
// answer to Asked, again or Anyway.
type UnsearchedError struct {
	Asked int64
	Err   error // why
}

func (e *UnsearchedError) Error() string {
	return fmt.Sprintf("the documents cannot be searched: %v. Mend that, choose another collection, or answer without documents", e.Err)
}

func (e *UnsearchedError) Unwrap() error { return e.Err }

func oldestMessages(n int) string {
	if n == 1 {
		return "oldest message"
	}
	return fmt.Sprintf("%d oldest messages", n)
}

// tooShort is how long an answer of a few tokens has to be written before its speed says anything: a
// few words that come at once give a figure that no longer answer reaches.
const (
	tooShort  = 50 * time.Millisecond
	fewTokens = 8
)

// Speed is how many tokens a second an answer was written; 0: that is not known, or it was too
// short to tell.
func Speed(r *ReplyRecord) float64 {
	if r == nil || r.Rate <= 0 || r.Tokens < fewTokens && float64(r.Tokens)/r.Rate < tooShort.Seconds() {
		return 0
	}
	return r.Rate
}
