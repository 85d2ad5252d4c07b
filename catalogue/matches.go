package catalogue

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// manyLanguages stands where a model was made for most of the languages below.
const manyLanguages = "many"

// languages are those by which models are found, each with what it is called by who speaks it.
var languages = map[string]string{
	"Arabic": "العربية", "Bengali": "বাংলা", "Bulgarian": "български", "Chinese": "中文 mandarin", "Croatian": "hrvatski", "Czech": "čeština česky",
	"Danish": "dansk", "Dutch": "nederlands", "English": "english", "Finnish": "suomi", "French": "français francais", "German": "deutsch",
	"Greek": "ελληνικά", "Hebrew": "עברית", "Hindi": "हिन्दी", "Hungarian": "magyar", "Indonesian": "bahasa", "Italian": "italiano",
	"Japanese": "日本語", "Korean": "한국어", "Norwegian": "norsk", "Persian": "فارسی farsi", "Polish": "polski", "Portuguese": "português portugues",
	"Romanian": "română", "Russian": "русский", "Serbian": "srpski", "Slovak": "slovenčina", "Spanish": "español espanol castellano", "Swedish": "svenska",
	"Thai": "ไทย", "Turkish": "türkçe turkce", "Ukrainian": "українська", "Vietnamese": "tiếng việt",
}

// taskWords are what people call the tasks.
var taskWords = map[string]string{
	Chat:      "assistant chatbot talk conversation write writing answers questions llm gpt",
	Text:      "write writing complete completion",
	Embedding: "search embeddings vectors semantic similarity compare retrieval rag find",
	Reranker:  "reranking rank ranking order sort cross-encoder retrieval rag",
	Encoder:   "fill mask base",
}

// usedFor are other words for what the description of a model says in one of these.
var usedFor = []struct {
	says  []string
	words string
}{
	{[]string{"code", "coder", "devstral"}, "coding programming programs developer software python javascript"},
	{[]string{"reasoning", "think", "thinking", "thinks", "steps"}, "reason logic maths mathematics step problems"},
	{[]string{"summaries"}, "summarize summarise summary summarization shorten"},
	{[]string{"rewriting", "writing"}, "rewrite email letter edit"},
	{[]string{"tools"}, "tool agent function calling"},
	{[]string{"quick", "quickly", "speed", "fast", "quickest"}, "quick fast"},
}

// Sizes from which and up to which people call a model large or small, in parameters.
const (
	smallest = 150e6
	small    = 2e9
	large    = 7e9
)

// fillers are words of a question for a model that say nothing of it.
var fillers = []string{"a", "an", "the", "for", "in", "to", "of", "with", "that", "can", "and", "or", "which", "model", "models", "ai", "language", "best", "good", "speaks"}

// Matches reports whether each word of a query is a word of the entry, or begins one, in any
// case and with another ending: its name, what it is for, its languages, or what people call
// all this. The text of its notes is not searched, because they name other models.
func (e Entry) Matches(query string) bool {
	text := e.words()
	return !slices.ContainsFunc(wantedOf(query), func(word string) bool { return !hasWord(text, word) })
}

// Names reports whether a word of a query stands in the name of the entry or in what it is for: that is
// more than to be found by what people call its task.
func (e Entry) Names(query string) bool {
	text := " " + strings.ToLower(e.Name+" "+e.Use)
	return slices.ContainsFunc(wantedOf(query), func(word string) bool { return hasWord(text, word) })
}

// wantedOf are the words of a query that say something; all, if none does.
func wantedOf(query string) []string {
	wanted := strings.Fields(strings.ToLower(query))
	if rest := slices.DeleteFunc(slices.Clone(wanted), func(w string) bool { return slices.Contains(fillers, w) }); len(rest) > 0 {
		return rest
	}
	return wanted
}

// hasWord reports whether a word of the text begins with that, or with that in another ending.
func hasWord(text, word string) bool {
	return begins(text, word) || strings.Contains(text, " "+stem(word))
}

// begins reports whether a word of the text, or a part of one behind a sign, begins with that. Not every
// part does: who wants to write code looks for no encoder. Words of other alphabets are not parted.
func begins(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if before < 'a' || before > 'z' || word[0] < 'a' || word[0] > 'z' {
			return true
		}
		at++
	}
}

// parted are words with a space before each capital letter within them: "ModernBERT" has BERT.
func parted(words string) string {
	var b strings.Builder
	small := false
	for _, r := range words {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// words are all words by which the entry is found, in small letters.
func (e Entry) words() string {
	parts := []string{"", e.ID, e.Name, parted(e.ID + " " + e.Name), e.Task, e.Use, e.Licence, e.Architecture, taskWords[e.Task]}
	said := wholeWords(e.Use + " " + e.Name + " " + e.Notes)
	for _, u := range usedFor {
		if e.writes() && hasOne(said, u.says) {
			parts = append(parts, u.words)
		}
	}
	switch {
	case e.Parameters < smallest:
		parts = append(parts, "tiny small little light")
	case e.Parameters < small:
		parts = append(parts, "small little light")
	case e.Parameters >= large:
		parts = append(parts, "large big strong")
	}
	knows := strings.Split(e.Languages, ", ")
	for name, own := range languages {
		if e.Languages == manyLanguages || slices.Contains(knows, name) {
			parts = append(parts, name, own)
		}
	}
	if e.Languages != "" {
		parts = append(parts, "multilingual languages")
		if e.Task == Chat {
			parts = append(parts, "translation translate translator")
		}
	}
	return strings.ToLower(strings.Join(parts, " "))
}

// Says reports whether one of some words, in small letters, stands as a whole in the name of the
// model or in what it is good for.
func (e Entry) Says(words []string) bool { return hasOne(wholeWords(e.Use+" "+e.Name), words) }

// wholeWords are the words of a text, in small letters.
func wholeWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.:;()-", r) })
}

func hasOne(said, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(said, w) })
}

// writes reports whether the model writes text: others compare or order what is there.
func (e Entry) writes() bool { return e.Task == Chat || e.Task == Text }

// stem is a word without the ending that others of its kind have in its place.
func stem(word string) string {
	const least = 4 // letters that say something
	for _, ending := range []string{"ings", "ing", "ions", "ion", "es", "s", "e"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= least {
			return rest
		}
	}
	return word
}
