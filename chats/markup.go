package chats

import "regexp"

// The signs of Markdown that a line of a list goes without. Those that stand at the beginning of a
// line come first.
var (
	lineSigns  = regexp.MustCompile(`(^|\n)[ \t]*(?:(?:>|#{1,6})(?:[ \t]+|\n|$))+`)
	tableRules = regexp.MustCompile(`(^|\n)[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*:?-*:?[ \t]*`)
	tableEnds  = regexp.MustCompile(`(^|\n)[ \t]*\|[ \t]|[ \t]\|[ \t]*(\n|$)`)
	strokes    = regexp.MustCompile(`[ \t]\|[ \t]`)
	strong     = regexp.MustCompile("\\*\\*|`")
	emphasis   = regexp.MustCompile(`(^|[^\pL\pN_*\\])[*_]([^\s*_](?:[^*_\n]*[^\s*_\\])?)[*_]($|[^\pL\pN_*])`)
	escapes    = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// WithoutMarkup is a piece of an answer as a person sees it, as far as a line of it tells.
func WithoutMarkup(text string) string {
	text = lineSigns.ReplaceAllString(text, "$1")
	text = tableRules.ReplaceAllString(text, "$1")
	text = tableEnds.ReplaceAllString(text, "$1$2")
	text = strokes.ReplaceAllString(text, " · ")
	text = strong.ReplaceAllString(text, "")
	text = emphasis.ReplaceAllString(text, "$1$2$3")
	text = emphasis.ReplaceAllString(text, "$1$2$3") // two beside each other share the sign between them
	return escapes.ReplaceAllString(text, "$1")
}
