// Package catalogue holds a hand-picked list of models: what each is for, how
// large it is, under which licence, and which files of which repository to
// fetch. It does not know what is installed or what this computer can run, and
// it opens no connection. Sizes are rounded; before a download the Hub is asked
// for the exact ones.
package catalogue

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// The tasks for which models are listed.
const (
	Chat      = "chat"
	Text      = "text" // writes text and takes no conversation
	Embedding = "embedding"
	Reranker  = "reranker"
	Encoder   = "encoder" // a base for experiments
)

// Entry is one model.
type Entry struct {
	ID           string `json:"id"`   // Hub id of the original weights
	Name         string `json:"name"` // for display
	Task         string `json:"task"` // one of the constants
	Use          string `json:"use"`  // what it is good for
	Notes        string `json:"notes"`
	Languages    string `json:"languages"`    // that it was made for: names in English, or "many"; "": English, or not known
	Architecture string `json:"architecture"` // as in config.json
	Parameters   int64  `json:"parameters"`   // as stored, rounded
	Active       int64  `json:"active"`       // parameters that are read for a token, rounded; 0: all
	Licence      string `json:"licence"`
	Context      int    `json:"context"`   // tokens
	Dimension    int    `json:"dimension"` // of a vector; 0: the model returns none
	Gated        bool   `json:"gated"`     // its terms must be accepted on the Hub first
	Classic      bool   `json:"classic"`   // newer models do the same better
	First        bool   `json:"first"`     // offered to who has no model for chats yet
	Unchecked    bool   `json:"unchecked"` // its facts are from lists of others and from its shape, not from the Hub
	// Downloads lists the ways to get it, the recommended one first.
	Downloads []Download `json:"downloads"`
}

// Download is one way to get a model.
type Download struct {
	Repo  string `json:"repo"`
	File  string `json:"file"`  // one GGUF file; empty: the repository's safetensors weights
	Type  string `json:"type"`  // of most weights: "BF16", "Q4_K_M"
	Bytes int64  `json:"bytes"` // of the weights, rounded
}

//go:embed models.json
var data []byte

// Entries returns the list in display order.
func Entries() ([]Entry, error) { return parse(data) }

// byRepo finds the entry of a repository, written in lower case, among its downloads.
var byRepo = sync.OnceValue(func() map[string]Entry {
	index := map[string]Entry{}
	list, err := parse(data)
	if err != nil {
		return index // the list's own test has read it
	}
	for _, e := range list {
		index[strings.ToLower(e.ID)] = e
		for _, d := range e.Downloads {
			index[strings.ToLower(d.Repo)] = e
		}
	}
	return index
})

// OfRepo returns the entry of a repository of the Hub, in whatever case it is written; false:
// there is none.
func OfRepo(repo string) (Entry, bool) {
	e, ok := byRepo()[strings.ToLower(repo)]
	return e, ok
}

func parse(data []byte) ([]Entry, error) {
	var list []Entry
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("the catalogue: %w", err)
	}
	return list, nil
}
