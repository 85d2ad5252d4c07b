// Package judge knows how a language model that was trained to rank is asked whether a
// document answers a query: in which words, and which word of its answer counts. It
// finds the form in a checkpoint and encodes prompts. It runs no model.
package judge

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/engine"
)

// Form is how a model was trained to be asked. The value of a document is the model's
// logit of Yes at the end of the prompt, less that of No.
type Form struct {
	Name string // as a person says it
	// Parts make up the prompt, with {query} and {document} in them. Each part is encoded
	// on its own, as the authors do, so no token reaches from one into the next.
	Parts      []string
	Yes, No    string            // words of one token each; No is "" where the logit of Yes alone counts
	Activation engine.Activation // makes a score of the value
	MaxLength  int               // tokens, as the authors cut

	family string // the model_type of the models that are trained so
	title  string // how the names of these models begin, in lower case
}

// The places of the texts in a part.
const (
	queryPlace    = "{query}"
	documentPlace = "{document}"
)

// forms are those that are known by name. Sources: the model cards of
// Qwen/Qwen3-Reranker-0.6B, mixedbread-ai/mxbai-rerank-base-v2 and
// BAAI/bge-reranker-v2-gemma, and their authors' code. That of the second and of the
// third encodes question, separator and document one by one.
var forms = []Form{
	{
		Name: "qwen3-reranker", family: "qwen3", title: "qwen3-reranker",
		Parts: []string{
			"<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. " +
				"Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n" +
				"<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n" +
				"<Query>: {query}\n<Document>: {document}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
		},
		Yes: "yes", No: "no", Activation: engine.Sigmoid, MaxLength: 8192,
	},
	{
		Name: "mxbai-rerank-v2", family: "qwen2", title: "mxbai-rerank",
		Parts: []string{
			"<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n",
			"query: {query}", "\n", "document: {document}", "\n",
			"You are a search relevance expert who evaluates how well documents match search queries. For each query-document pair, " +
				"carefully analyze the semantic relationship between them, then provide your binary relevance judgment " +
				"(0 for not relevant, 1 for relevant).\nRelevance:",
			"<|im_end|>\n<|im_start|>assistant\n",
		},
		Yes: "1", No: "0", MaxLength: 8192,
	},
	{
		Name: "bge-reranker-v2-gemma", family: "gemma", title: "bge-reranker-v2-gemma",
		Parts: []string{
			"<bos>", "A: {query}", "\n", "B: {document}", "\n",
			"Given a query A and a passage B, determine whether the passage contains an answer to the query by providing a prediction of either 'Yes' or 'No'.",
		},
		Yes: "Yes", MaxLength: 1024,
	},
}

// Names are the forms that a person can choose.
func Names() []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = f.Name
	}
	return names
}

// byName returns the form of a name.
func byName(name string) (Form, error) {
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return Form{}, fmt.Errorf("the form %.40q is not known; choose one of %s", name, strings.Join(Names(), ", "))
	}
	return forms[i], nil
}

// ofFamily returns the form in which rankers of a family are asked.
func ofFamily(modelType string) (Form, bool) {
	i := slices.IndexFunc(forms, func(f Form) bool { return f.family == modelType })
	if i < 0 {
		return Form{}, false
	}
	return forms[i], true
}

// titled returns the form of a model that calls itself so.
func titled(name, modelType string) (Form, bool) {
	name = strings.ReplaceAll(strings.ToLower(name), " ", "-")
	for _, f := range forms {
		if f.family == modelType && strings.Contains(name, f.title) {
			return f, true
		}
	}
	return Form{}, false
}

// text is the whole prompt.
func (f Form) text() string { return strings.Join(f.Parts, "") }
