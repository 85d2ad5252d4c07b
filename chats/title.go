package chats

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// greetings begin a message and say nothing of what it is about. Longer ones come before
// those that they begin with.
var greetings = []string{
	"good morning", "good afternoon", "good evening", "good day", "hello there", "hello", "hi there", "hi", "hey there", "hey", "greetings",
	"guten morgen", "guten tag", "guten abend", "hallo", "servus", "moin", "bonjour", "bonsoir", "salut", "hola", "buenos días", "ciao", "buongiorno", "olá",
}

// requests ask politely, before what is asked for.
var requests = []string{
	"please can you", "please could you", "can you please", "could you please", "would you please", "can you", "could you", "would you",
	"i would like you to", "i'd like you to", "i want you to", "i need you to", "please", "kannst du bitte", "kannst du", "bitte",
}

// wishes say that something is to be told, before what that is about.
var wishes = []string{
	"tell me everything about", "tell me more about", "tell me something about", "tell me about", "tell me", "i have a question about", "i want to know", "i would like to know", "i'd like to know", "i wonder",
	"explain to me", "explain briefly", "explain", "describe to me", "give me an overview of", "give me", "show me", "help me with", "help me to", "help me", "do you know", "let us talk about", "let's talk about",
	"erzähl mir von", "erzähle mir von", "erklär mir", "erkläre mir", "sag mir",
}

// definitions ask what something is, before its name.
var definitions = []string{"what is meant by", "what is", "what's", "what are", "what was", "what were", "was ist", "was sind"}

// pointers stand for what was named before, and name nothing.
var pointers = []string{"it", "this", "that", "these", "those", "me", "us", "him", "her", "them", "you", "es", "dies", "if"}

// articles come before the name of a thing.
var articles = []string{"the", "an", "a", "der", "die", "das", "ein", "eine"}

// leastName is how many words what is asked for has at least to be a title by itself: "What is it?" says
// more than "It".
const leastName = 2

// leastSentence is how many characters a first sentence has at least to be a title alone.
const leastSentence = 12

// firstTitle returns what the first text of the user is about: its beginning without a
// greeting or a polite request. Where there is nothing but greetings, it is the first of them.
func firstTitle(messages []*message) string {
	if t := contentTitle(messages); t != "" {
		return t
	}
	for _, m := range messages {
		if t := oneLine(m.Text(), titleBytes); m.Role == RoleUser && t != "" {
			return t
		}
	}
	return ""
}

// rootTitle returns what the first question is about, as it was written last: one that is edited is another
// beginning beside it. "": none says anything.
func rootTitle(messages []*message) string {
	for _, m := range slices.Backward(messages) {
		if m.Parent != 0 {
			continue
		}
		if t := contentTitle([]*message{m}); t != "" {
			return t
		}
	}
	return ""
}

// contentTitle is the same without those that only greet; "": there is nothing else.
func contentTitle(messages []*message) string {
	for _, m := range messages {
		if m.Role != RoleUser {
			continue
		}
		if t := title(m.Text()); t != "" {
			return t
		}
		for _, f := range m.Files() {
			if t := oneLine(f.Name, titleBytes); t != "" {
				return t
			}
		}
	}
	return ""
}

// isGreeting reports whether a title says nothing of what a conversation is about.
func isGreeting(text string) bool { return title(text) == "" }

// title returns what a text is about, in a few words; "": it only greets.
func title(text string) string {
	line := oneLine(text, 4*titleBytes)
	rest := line
	for _, words := range [][]string{greetings, requests} {
		before := rest
		rest = withoutOpening(rest, words)
		if before != rest && words[0] == requests[0] {
			rest = strings.TrimRight(rest, "?") // it is no longer a question
		}
	}
	rest = subject(rest)
	if rest == "" {
		return ""
	}
	if rest != line {
		first, size := utf8.DecodeRuneInString(rest)
		rest = string(unicode.ToUpper(first)) + rest[size:]
	}
	return oneLine(firstSentence(rest, leastSentence), titleBytes)
}

// subject is what a sentence asks for, where it says so by itself: "Tell me about the lease" is about
// the lease, and "What is the capital of France?" about the "capital of France".
func subject(sentence string) string {
	for _, openings := range [][]string{wishes, definitions} {
		rest := withoutOpening(sentence, openings)
		if rest == sentence || rest == "" {
			continue
		}
		first, _, _ := strings.Cut(strings.ToLower(rest), " ")
		if openings[0] == definitions[0] && !slices.Contains(articles, first) || slices.Contains(pointers, first) {
			continue
		}
		named := strings.TrimRight(firstSentence(rest, 0), "?!. ")
		if bare := withoutOpening(named, articles); bare != "" {
			named = bare
		}
		if len(strings.Fields(named)) >= leastName {
			sentence = named
		}
	}
	return sentence
}

// withoutOpening takes an opening off a line, with the signs and spaces behind it.
func withoutOpening(line string, openings []string) string {
	for _, o := range openings {
		if len(line) < len(o) || !strings.EqualFold(line[:len(o)], o) {
			continue
		}
		rest := line[len(o):]
		if r, _ := utf8.DecodeRuneInString(rest); rest != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '-') {
			continue // the beginning of a longer word
		}
		return strings.TrimLeftFunc(rest, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '"' && r != '“' && r != '(' && r != '#'
		})
	}
	return line
}

// firstSentence ends a line where its first sentence ends that is no shorter than so many bytes.
func firstSentence(line string, least int) string {
	for i, r := range line {
		if i < least || !strings.ContainsRune(".?!", r) {
			continue
		}
		end := i + 1
		next, after := utf8.DecodeRuneInString(line[end:])
		if first, _ := utf8.DecodeRuneInString(line[end+after:]); next == ' ' && !unicode.IsLower(first) {
			return strings.TrimSuffix(line[:end], ".")
		}
	}
	return line
}
