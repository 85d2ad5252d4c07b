package texts

import (
	"slices"
	"strings"
	"testing"
)

// book has paragraphs that were broken to a width.
const book = `CHAPTER ONE

It was late in the autumn, and the road to the village was so
wet that the old carriage stood still at every second turn. Nobody
spoke.

The driver had gone ahead with his lamp to look for the bridge,
which was said to lie behind the mill, and he did not come back for
an hour.

"We shall sleep here," said the judge, and drew his coat around his
knees while the rain went on drumming upon the roof above them all.

THE END
`

// A book is cut by paragraphs; lists, poems and dialogues by lines.
func TestParagraphs(t *testing.T) {
	got, ok := paragraphs(blocks(book))
	if !ok || len(got) != 5 || got[0] != "CHAPTER ONE" || !strings.HasSuffix(got[1], "at every second turn. Nobody spoke.") {
		t.Errorf("a book is %v, %q", ok, got)
	}
	for _, end := range []string{"\r\n", "\r"} {
		if other, ok := paragraphs(blocks(strings.ReplaceAll(book, "\n", end))); !ok || !slices.Equal(other, got) {
			t.Errorf("with the line ends %q it is %v, %q", end, ok, other)
		}
	}
	sentence := "This is a sentence of a list, and it has its end where the line ends."
	group := strings.Repeat(sentence+"\n", 5) + "\n"
	for name, text := range map[string]string{
		"empty":           "",
		"a list":          strings.Repeat(sentence+"\n", 40),
		"groups":          strings.Repeat(group, 6),
		"a poem":          strings.Repeat("The fire is low,\nThe night is long,\nThe wind goes slow,\n\n", 8),
		"words":           strings.Repeat("fire\nwood\n\n", 30),
		"one paragraph":   "It was late in the autumn, and the road to the village was so\nwet that the old carriage stood still.\n",
		"long paragraphs": strings.Repeat(strings.Repeat("many words without an end ", 20)+"\n\n", 10),
		"mostly a list":   book + strings.Repeat(sentence+"\n\n", 60),
	} {
		if got, ok := paragraphs(blocks(text)); ok {
			t.Errorf("%s is cut by paragraphs: %.200q", name, got)
		}
	}
}

// A letter whose lines were broken to a width is cut by paragraphs, also where no blank line stands
// between them; lists of titles, of sentences and of questions are cut by lines.
func TestCut(t *testing.T) {
	letter := "The road to the village was so wet in the autumn that the old\n" +
		"carriage stood still at every second turn, and nobody in it said\n" +
		"a word about it.\n" +
		"The driver had gone ahead with his lamp to look for the bridge,\n" +
		"which was said to lie behind the mill. He did not come back for an\n" +
		"hour. We shall sleep here, said the judge.\n"
	got := Cut(letter)
	if got.Way != ByParagraph || len(got.Lines) != 2 || !strings.HasSuffix(got.Lines[0], "a word about it.") || got.Note == "" || got.Whole != letter {
		t.Errorf("a letter is %+v", got)
	}
	if ways := Ways(letter); !slices.Equal(ways, []Way{ByLine, ByParagraph, BySentence, AsOne}) {
		t.Errorf("its ways are %v", ways)
	}
	for way, want := range map[Way]int{ByLine: 6, ByParagraph: 2, BySentence: 4} {
		if list := CutBy(letter, way); len(list) != want {
			t.Errorf("way %d gives %q", way, list)
		}
	}
	for name, text := range map[string]string{
		"sentences":   strings.Repeat("This is a sentence of a list, and it has its end where the line ends.\n", 20),
		"titles":      strings.Repeat("A Report About the Growth of Trees in the North of the Country\n", 20),
		"words":       "fire\nwood\nwater\n",
		"nothing":     "",
		"one a block": "fire\n\nwood\n\nwater\n",
	} {
		if got := Cut(text); got.Way != ByLine || got.Whole != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	poem := "The fire is low,\nthe night is long.\n\nThe wind goes slow,\nand so the song.\n"
	if got := Cut(poem); got.Way != ByLine || len(got.Lines) != 4 || !slices.Equal(Ways(got.Whole), []Way{ByLine, ByParagraph, AsOne}) {
		t.Errorf("a poem is %+v", got)
	}
	told := "It rained. Nobody came.\n\nThe next day it snowed. They came.\n"
	if got := Cut(told); len(got.Lines) != 2 || !slices.Equal(Ways(got.Whole), []Way{ByParagraph, BySentence, AsOne}) {
		t.Errorf("paragraphs of one line are %+v", got)
	}
}

// No word of a book is lost.
func FuzzParagraphs(f *testing.F) {
	f.Add(book)
	f.Add("a\n\nb\r\rc")
	f.Fuzz(func(t *testing.T, text string) {
		for way := range BySentence + 1 {
			if got, want := strings.Fields(strings.Join(CutBy(text, way), " ")), strings.Fields(text); !slices.Equal(got, want) {
				t.Errorf("%d: %q became %q", way, want, got)
			}
		}
	})
}

// A mail is one text; lists and books are not.
func TestAMailIsOneText(t *testing.T) {
	const mail = "Dear Ms Brown,\n\nthe grinder came broken.\nPlease send another one.\n\nKind regards\nA customer\n"
	fields := "From: a@example.org\nSubject: grinder\n\nIt came broken.\n"
	for content, want := range map[string]int{
		mail:                                    1,
		fields:                                  1,
		"The bread was good.\nI had to wait.\n": 2, // a list
		"Dear Ms Brown,\nDear Mr Green,\n\nDear Ms White,\n":          3, // of greetings
		"Bread, fresh,\n\nMilk.\n":                                    2,
		"Date: today\n\nIt rained.\n":                                 2,
		mail + strings.Repeat("It was a long day.\n", mostAsOne/19+1): -1,
	} {
		got, err := (&Service{}).ReadTexts(t.Context(), textFile(t, "mail.txt", content))
		if err != nil || want > 0 && len(got.Lines) != want || want < 0 && len(got.Lines) == 1 {
			t.Errorf("%.30q: %q, %v", content, got.Lines[:min(3, len(got.Lines))], err)
		}
		if want == 1 && (got.Way != AsOne || got.Note != "All of it is one text." || !slices.Contains(Ways(got.Whole), ByParagraph)) {
			t.Errorf("%.30q can not be cut in another way: %+v", content, got)
		}
	}
	if got := mailText(blocks("From: a@example.org\nSubject: grinder: broken\nX-Mailer: x\n\nNote: it came broken.\n")); got != "grinder: broken Note: it came broken." {
		t.Errorf("of a mail remains %q", got)
	}
	if got := mailText(blocks(mail)); got != "Dear Ms Brown, the grinder came broken. Please send another one. Kind regards A customer" {
		t.Errorf("of a letter remains %q", got)
	}
	if !slices.Contains(Ways(mail), AsOne) || slices.Contains(Ways("one line"), AsOne) || slices.Contains(Ways(strings.Repeat(mail, 300)), AsOne) {
		t.Error("the whole is offered where it is too long, or the only text, or not offered")
	}
}
