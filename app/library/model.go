package library

import (
	"slices"
	"time"

	"inglenook/pipeline"
)

// Where a model comes from.
const (
	SourceBundled  = "bundled"
	SourceHubCache = "hub cache"
	SourceFolder   = "folder"
	SourceFile     = "file"
	SourceServer   = "server" // it runs elsewhere, and no file of it is here
)

// What a model is for.
const (
	KindEmbedding = "embedding"
	KindReranker  = "reranker"
	KindEncoder   = "encoder"      // gives hidden states; says nothing about pooling
	KindChat      = "chat"         // writes text and has a chat template
	KindText      = "text"         // writes text and has none
	KindTask      = "text-to-text" // turns one text into another, without a conversation
	KindPictures  = "pictures"     // makes vectors of pictures and reads no texts
)

// Model is one model on this computer and what its files say about it. No
// weight is read to know this.
type Model struct {
	ID           string // stable: "starter-embed", "starter-chat", a Hub id, or an absolute path
	Name         string // for people
	Source       string // one of the Source constants
	Path         string // folder or file; empty for a bundled model
	Kind         string // one of the Kind constants; empty when unknown
	Architecture string // as in config.json: "BertModel"
	Format       string // "safetensors"
	DType        string // of the weights: "f32", "f16", "bf16"
	Parameters   int64
	Bytes        int64              // all files together
	Dimension    int                // of a vector
	Pictures     bool               // it makes vectors of pictures as well, which can be compared with those of texts
	MaxLength    int                // in tokens
	Tools        bool               // its chat template teaches calls of tools
	Thinking     pipeline.Thinking  // what a person can choose of its thinking
	Sampling     *pipeline.Sampling // how it writes where nobody says otherwise; nil: that is not known, or it writes nothing
	// Prompts are texts that the model was trained to see before its input, by
	// name; DefaultPrompt names the one that it uses by itself.
	Prompts       map[string]string
	DefaultPrompt string
	Tasks         []string // for each of which it has weights of its own
	Server        string   // of SourceServer: the name of the server
	Talks         bool     // an embedder of a server that answers in conversations as well
	Leaves        string   // the host that texts are sent to; empty: they stay on this computer
	Classifies    string   // what it gives texts: "labels", "entities", "words" for their gaps, or nothing
	Usable        bool
	Reason        string // one sentence, when not usable
	Files         []ModelFile
	LastUsed      time.Time // zero: never
}

// ModelFile is one file of a model.
type ModelFile struct {
	Path  string // relative to the model's folder, with forward slashes
	Bytes int64
}

// Tiny reports whether the model came with the program: it is there so that
// everything can be tried at once, and a downloaded one does better.
func (m Model) Tiny() bool { return m.Source == SourceBundled }

// TinyInWords labels such a model wherever it is shown.
const TinyInWords = "tiny, for trying the app"

// Tasks of models that have weights for each.
const (
	TaskQuestions = "retrieval.query"   // texts by which others are searched
	TaskPassages  = "retrieval.passage" // texts that are searched
	TaskLabels    = "classification"
)

// Task is a task if the model has weights for it, and else "", its usual one.
func (m Model) Task(name string) string {
	if slices.Contains(m.Tasks, name) {
		return name
	}
	return ""
}

// Writes reports whether the model is a language model.
func (m Model) Writes() bool { return m.Kind == KindChat || m.Kind == KindText || m.Kind == KindTask }

// CanWrite reports whether the model is known to write: a language model, or an embedder of a
// server that answers in conversations too.
func (m Model) CanWrite() bool { return m.Writes() || m.Talks }

// KindInWords says what models of a kind are made for.
func KindInWords(kind string) string {
	switch kind {
	case KindEmbedding:
		return "turning texts into vectors"
	case KindReranker:
		return "scoring documents against a query"
	case KindChat, KindText:
		return "writing text"
	case KindTask:
		return "turning a text into another one"
	case KindPictures:
		return "comparing pictures"
	}
	return "reading texts"
}
