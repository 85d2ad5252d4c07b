package documents

import (
	"regexp"

	"inglenook/app/library"
	"inglenook/pipeline"
)

// prompts are what a model wants to see before a question and before a passage.
type prompts struct{ query, passage pipeline.EmbedRequest }

// The names under which checkpoints keep them, as sentence-transformers looks them
// up (SentenceTransformer.encode_query, encode_document).
var (
	queryNames   = []string{"query", library.TaskQuestions}
	passageNames = []string{"document", "passage", "corpus", library.TaskPassages}
)

// told are prompts that only the model's card tells, by the model's name.
var told = []struct {
	name           *regexp.Regexp
	query, passage string
}{
	{regexp.MustCompile(`(?i)(^|/)(multilingual-)?e5-(small|base|large)`), "query: ", "passage: "},
	{regexp.MustCompile(`(?i)(^|/)bge-(small|base|large)-en`), "Represent this sentence for searching relevant passages: ", ""},
}

func promptsOf(name string, info pipeline.EmbedderInfo) prompts {
	p := prompts{named(info, queryNames), named(info, passageNames)}
	if len(info.Prompts) > 0 {
		return p
	}
	for _, t := range told {
		if t.name.MatchString(name) {
			return prompts{prompt(t.query), prompt(t.passage)}
		}
	}
	return p
}

// named returns the first prompt of some names, else the model's default one.
func named(info pipeline.EmbedderInfo, names []string) pipeline.EmbedRequest {
	for _, n := range names {
		if _, ok := info.Prompts[n]; ok {
			return pipeline.EmbedRequest{PromptName: n}
		}
	}
	return pipeline.EmbedRequest{}
}

func prompt(text string) pipeline.EmbedRequest {
	return pipeline.EmbedRequest{Prompt: text, NoPrompt: text == ""}
}
