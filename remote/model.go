package remote

import (
	"strings"

	"inglenook/plain"
)

// What a model is for.
const (
	Chat      = "chat"
	Embedding = "embedding"
	Reranker  = "reranker"
)

// The forms in which servers talk.
const (
	OpenAI = "openai"
	Ollama = "ollama"
	TEI    = "tei" // text-embeddings-inference
)

// Model is one that a server has.
type Model struct {
	ID        string `json:"id"` // as requests name it
	Kind      string `json:"kind"`
	Scores    bool   `json:"scores,omitempty"`    // an embedder that scores texts beside a question as well
	Writes    bool   `json:"writes,omitempty"`    // an embedder that answers in conversations as well
	Wrong     string `json:"wrong,omitempty"`     // what it answered in the place of a vector or a score
	Guessed   bool   `json:"guessed,omitempty"`   // the server does not say the kind; its name does
	Context   int    `json:"context,omitempty"`   // in tokens; 0: the server does not say
	Dimension int    `json:"dimension,omitempty"` // of a vector; 0: likewise
}

// Found is what an address turned out to be.
type Found struct {
	Form   string  `json:"form"`
	Prefix string  `json:"prefix,omitempty"` // of the routes of OpenAI's form: "/v1" or nothing
	Models []Model `json:"models"`
	Server string  `json:"server,omitempty"` // the program, where it says so
	Counts string  `json:"counts,omitempty"` // the form in which it counts tokens; "": it does not
}

// The forms in which servers count the tokens of a conversation.
const (
	countsLlama = "llama-server"
	countsVLLM  = "vllm"
)

// FormInWords names a form for people.
func FormInWords(form string) string {
	switch form {
	case Ollama:
		return "Ollama"
	case TEI:
		return "text-embeddings-inference"
	}
	return "OpenAI-compatible"
}

// Limits of what a list of models may be.
const (
	mostModels = 1000
	mostName   = 300 // bytes
)

// usableID reports whether a name can be shown and used as part of a model's name.
func usableID(id string) bool {
	return id != "" && len(id) <= mostName && plain.Terminal(id) == id && !strings.ContainsAny(id, " \t\n\r")
}

// guessKind tells what a model is for by its name.
func guessKind(id string) string {
	name := strings.ToLower(id)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("rerank", "cross-encoder", "ms-marco"):
		return Reranker
	case has("embed", "minilm", "e5-", "bge-", "gte-", "sentence-", "arctic-", "paraphrase-", "all-mpnet", "stella", "clip"):
		return Embedding
	}
	return Chat
}
