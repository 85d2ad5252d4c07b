package chat

// The window and the command line may import only app and what is below it (TestImportRules).
// So the words of chats and pipeline that they need have a second name here.

import (
	"inglenook/chats"
	"inglenook/pipeline"
	"inglenook/plain"
)

// What conversations consist of, in the words of their store.
type (
	Summary      = chats.Summary
	Conversation = chats.Conversation
	Message      = chats.Message
	Part         = chats.Part
	ReplyRecord  = chats.Reply
)

// The kinds of parts that are texts.
const (
	PartText = chats.PartText
	PartFile = chats.PartFile
)

// Text returns a part that is text.
func Text(text string) Part { return chats.Text(text) }

// File returns a part that is a text file.
func File(name, text string) Part { return chats.File(name, text) }

// Content returns the usual parts of a message: files, and a text unless it is empty.
func Content(text string, files ...Part) []Part { return chats.Content(text, files...) }

// Preview is how a text begins, as a person sees it, as far as a line of it tells.
func Preview(text string) string { return chats.WithoutMarkup(plain.First(text, previewRunes)) }

// previewRunes is how much of a text is looked at for a line of it.
const previewRunes = 2000

// The states of a message.
const (
	MessageComplete    = chats.StateComplete
	MessageWriting     = chats.StateWriting
	MessageInterrupted = chats.StateInterrupted
	MessageStopped     = chats.StateStopped
	MessageFailed      = chats.StateFailed
)

// The roles of messages.
const (
	RoleUser      = chats.RoleUser
	RoleAssistant = chats.RoleAssistant
)

// What a chat consists of, in pipeline's words.
type (
	PromptMessage = pipeline.Message
	ReplyOptions  = pipeline.ReplyOptions
	Sampling      = pipeline.Sampling
	Token         = pipeline.Token
	Plan          = pipeline.Plan
	ChatInfo      = pipeline.GeneratorInfo
	Thinking      = pipeline.Thinking
	LocalInfo     = pipeline.LocalInfo
	TooLongError  = pipeline.TooLongError
	SchemaError   = pipeline.SchemaError
	Tool          = pipeline.Tool
	ToolCall      = pipeline.ToolCall
	Logprob       = pipeline.Logprob
)

// AnyTool as ReplyOptions.ToolChoice makes a model ask for one of the tools.
const AnyTool = pipeline.AnyTool

// ErrClosed is the error of a model that was closed while somebody asked it.
var ErrClosed = pipeline.ErrClosed

// What a person can choose of a model's thinking.
const (
	ThinkingFixed  = pipeline.ThinkingFixed
	ThinkingSwitch = pipeline.ThinkingSwitch
	ThinkingEffort = pipeline.ThinkingEffort
)

// TextMessage returns a message that is one text.
func TextMessage(role, text string) PromptMessage { return pipeline.TextMessage(role, text) }

// DefaultSampling is how tokens are chosen where neither a model's makers nor a
// person say.
func DefaultSampling() Sampling { return pipeline.DefaultSampling() }

// ByProgram reports whether an answer that ended for a reason is the program's own, and no model's.
func ByProgram(reason string) bool {
	return reason == FinishNotFound || reason == FinishQuoted || reason == FinishUnread || reason == FinishGuide
}

// The reasons for which an answer ends.
const (
	FinishStop      = pipeline.FinishStop
	FinishLength    = pipeline.FinishLength
	FinishContext   = pipeline.FinishContext
	FinishRepeats   = pipeline.FinishRepeats
	FinishFiltered  = pipeline.FinishFiltered
	FinishOther     = pipeline.FinishOther
	FinishCancelled = pipeline.FinishCancelled
	FinishNotFound  = "not found" // the documents do not answer; no model was asked
	FinishQuoted    = "quoted"    // passages as they are; no model was asked
	FinishUnread    = "unread"    // the guide reads no files, and found no words of the question in them
	FinishGuide     = "guide"     // true words about the program; no model was asked
	FinishEdited    = "edited"    // a person changed the words; how the first ones were made is not said
)
