package chats

import (
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
	if rest == "" {
		return ""
	}
	if rest != line {
		first, size := utf8.DecodeRuneInString(rest)
		rest = string(unicode.ToUpper(first)) + rest[size:]
	}
	return oneLine(firstSentence(rest), titleBytes)
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

// firstSentence ends a line where its first sentence ends, unless that is very short.
func firstSentence(line string) string {
	for i, r := range line {
		if i < leastSentence || !strings.ContainsRune(".?!", r) {
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
