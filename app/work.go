package app

// The kinds of work.
const (
	WorkEmbed    = "embed"
	WorkRerank   = "rerank"
	WorkPrompt   = "prompt"
	WorkFirst    = "first token"
	WorkGenerate = "generate"
	WorkNorms    = "norms" // no Measure has it
)

// unitMilliseconds is the unit of what is better the less it is.
const unitMilliseconds = "ms"

// unitOf is the unit of a kind of work.
func unitOf(work string) string {
	switch work {
	case WorkEmbed:
		return "texts/s"
	case WorkRerank:
		return "pairs/s"
	case WorkFirst:
		return unitMilliseconds
	}
	return "tokens/s"
}

// UsualPrompt is how many tokens a prompt has where nobody says.
const UsualPrompt = 512
