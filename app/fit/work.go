package fit

// The kinds of work.
const (
	WorkEmbed    = "embed"
	WorkRerank   = "rerank"
	WorkPrompt   = "prompt"
	WorkFirst    = "first token"
	WorkGenerate = "generate"
	WorkNorms    = "norms"   // no Measure has it
	WorkGuesses  = "guesses" // the same
)

// UnitMilliseconds is the unit of what is better the less it is.
const UnitMilliseconds = "ms"

// UnitOf is the unit of a kind of work.
func UnitOf(work string) string {
	switch work {
	case WorkEmbed:
		return "texts/s"
	case WorkRerank:
		return "pairs/s"
	case WorkFirst:
		return UnitMilliseconds
	}
	return "tokens/s"
}

// UsualPrompt is how many tokens a prompt has where nobody says.
const UsualPrompt = 512
