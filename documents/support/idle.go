package support

import (
	"regexp"
	"strings"
	"unicode"
)

// claimsNothing reports whether a sentence of an answer says nothing that a passage could
// support: a greeting, a question, what leads a list, or that the answer is not known.
func claimsNothing(sentence string) bool {
	if !strings.ContainsFunc(sentence, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return true
	}
	end := strings.TrimRight(sentence, " \"'”’»)")
	if strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") || strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：") {
		return true
	}
	small := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
	for _, form := range idle {
		if form.MatchString(small) {
			return true
		}
	}
	return false
}

const theTexts = `(?:(?:the|these|those|your|any of the|my|given|provided|available) ){0,2}(?:passages?|documents?|texts?|context|sources?|excerpts?)`

// idle are the forms of sentences that claim nothing, in small letters.
var idle = compiled(
	// greetings and offers
	`^(?:hi|hello|hey|hallo|bonjour|hola|good (?:morning|day|evening)|greetings|thanks|thank you|sure|certainly|of course|okay|ok|great|great question|good question|you're welcome|happy to help|no problem|alright)\b[^.,!;:]{0,30}[.,!]*$`,
	`^(?:sure|certainly|of course|absolutely|great|thanks|thank you)[,!]? (?:i'm |i am )?(?:happy|glad|i can|let me)\b[^.;:]{0,30}[.!]*$`,
	`^(?:i hope (?:this|that|it)|let me know|feel free|please (?:let me|feel free|ask|tell me)|if you (?:have|need|want|would like) (?:any|more|further|to know|another|me)|is there anything|happy to help|glad to)\b`,
	`^(?:as an ai|i am an ai|i'm an ai|i am a language model|i'm a language model)\b`,
	`^here(?: is|'s| are) (?:what|the answer|a (?:short )?(?:summary|list|answer)|an? (?:overview|answer))\b`,
	// that the answer is not known
	`^(?:i'm |i am |we are |we're )?(?:sorry|afraid)\b[^.]{0,20}[.!]?$`,
	`^(?:(?:i'm|i am|we are|we're) (?:sorry|afraid)|sorry|unfortunately|however)?[,;:]?\s*(?:but )?(?:i|we) (?:do not|don't|cannot|can't|can not|could not|couldn't|did not|didn't|am not able to|was not able to|am unable to) (?:know|find|see|answer|tell|say|have|determine|help)\b`,
	`^(?:i'm|i am|we are|we're) (?:not sure|unsure|not certain|unable to|not able to)\b`,
	theTexts+` (?:do|does|did)(?: not|n't) (?:\w+ )?(?:say|mention|state|contain|include|give|provide|specify|tell|answer|describe|discuss|cover|explain|address|have|seem|appear|indicate|refer)\b`,
	theTexts+` (?:say|says|mention|mentions|contain|contains|have|has) (?:nothing|no) `,
	`\b(?:is|are|was|were|be|been)(?: not|n't) (?:(?:mentioned|stated|given|found|answered|covered|described|specified|said|included|listed|explained|discussed|part) )?(?:in|by|from|of) `+theTexts+`[.!]?$`,
	`^(?:there (?:is|are|was|were) )?(?:no|not any|not enough) (?:information|mention|answer|details?|data|reference)\b`,
	`\bnot enough (?:information|context)\b`,
	`^(?:not found|not stated|not mentioned|unknown|n/a|no answer)[.!]?$`,
	// the same in other languages
	`\b(?:steht|stehen|wird|werden|finde|findet) (?:\w+ ){0,4}(?:nicht|nichts|keine?)\b.*\b(?:text|texten|dokument|dokumenten|passagen?|abschnitt|abschnitten)\b`,
	`^(?:das )?(?:weiß ich nicht|ich weiß (?:es )?nicht)\b`,
	`^(?:je ne sais pas|je ne trouve pas|no lo sé|no sé|non lo so)\b`,
)

func compiled(forms ...string) (list []*regexp.Regexp) {
	for _, form := range forms {
		list = append(list, regexp.MustCompile(form))
	}
	return list
}
