package support_test

import (
	"strings"
	"testing"

	"inglenook/documents/support"
)

// An answer that says nothing of its own is never supported, however many words of the question
// the passages have.
func TestEmptyAnswers(t *testing.T) {
	const question = "How many months of rent does the tenant pay as a deposit to the landlord"
	embedder := starter(t)
	for name, answer := range map[string]string{
		"a letter":               strings.Repeat("a", 1000),
		"a letter, spaced":       strings.Repeat("a ", 1000),
		"two letters":            strings.Repeat("ab ", 1000),
		"capitals":               strings.Repeat("A ", 1000),
		"a word":                 strings.Repeat("deposit ", 1000),
		"a word joined":          strings.Repeat("deposit", 1000),
		"a few words":            strings.Repeat("tenant ", 10),
		"two words":              strings.Repeat("tenant deposit ", 10000),
		"a word and a full stop": strings.Repeat("deposit. ", 1000),
		"a word, lines":          strings.Repeat("deposit\n", 1000),
		"a word, items":          strings.Repeat("- deposit\n", 1000),
		"a word, paragraphs":     strings.Repeat("rent\n\n", 1000),
		"the question":           question,
		"the question twice":     question + " " + question,
		"the question often":     strings.Repeat(question+" ", 1000),
		"the question, lines":    strings.Repeat(question+".\n", 1000),
		"a digit":                strings.Repeat("2", 1000),
		"digits":                 strings.Repeat("2 ", 1000),
		"digits soup":            strings.Repeat("2 3 1 4 2 2 ", 1000),
		"a sign":                 strings.Repeat("*", 10000),
		"signs and spaces":       strings.Repeat(" . , \t\n", 10000),
		"a fence":                strings.Repeat("```\n", 10000),
		"an odd fence":           strings.Repeat("```\n", 10001),
		"a fence of text":        strings.Repeat("Passage 1:\n", 1000),
		"frequent words":         strings.Repeat("it is of the ", 1000),
		"a frequent word":        "It is.",
		"combining characters":   strings.Repeat("e\u0301\u0302\u0303", 1000),
		"combining alone":        strings.Repeat("\u0301", 1000),
		"emoji":                  strings.Repeat("🏠", 10000),
		"joined emoji":           strings.Repeat("👩\u200d🚀 ", 1000),
		"ideographs":             strings.Repeat("的", 1000),
		"broken":                 strings.Repeat("\xff", 1000),
	} {
		for _, m := range []support.Meaning{nil, embedder} {
			claims, err := support.Judge(t.Context(), question, answer, lease, m)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range claims {
				if c.Supported() || c.Why == "" {
					t.Errorf("%s, with an embedder %t: %q: %+v", name, m != nil, cutTo(answer[c.Start:c.End], 40), c)
					break
				}
			}
		}
	}
}

// A short answer that has a word or a number of its own stays supported.
func TestShortAnswers(t *testing.T) {
	embedder := starter(t)
	passages := []support.Passage{{Text: "Scurvy comes from a lack of vitamin C. Both a cat and a dog are allowed. The list has 2 2 2 2 2 2 as its numbers."}}
	for question, answer := range map[string]string{
		"Which vitamin is lacking in scurvy?": "C.",
		"Is a cat or a dog allowed?":          "Both.",
		"Which numbers does the list have?":   "2 2 2 2 2 2 as its numbers",
		"Is a cat allowed?":                   "Yes.",
	} {
		if claims, err := support.Judge(t.Context(), question, answer, passages, embedder); err != nil || len(claims) != 1 || !claims[0].Supported() {
			t.Errorf("%s %s: %+v, error %v", question, answer, claims, err)
		}
	}
}

// The same in a script without spaces.
func TestEmptyAnswersUnspaced(t *testing.T) {
	embedder := starter(t)
	passages := []support.Passage{{Text: "租客支付两个月的押金。"}}
	for _, answer := range []string{strings.Repeat("押金", 500), strings.Repeat("的", 500), strings.Repeat("押金。", 500), strings.Repeat("押 ", 500)} {
		claims, err := support.Judge(t.Context(), "租客支付多少押金", answer, passages, embedder)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			if c.Supported() {
				t.Errorf("%s: %+v", cutTo(answer, 30), c)
				break
			}
		}
	}
}
