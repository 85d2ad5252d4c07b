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
	got, ok := paragraphs(book)
	if !ok || len(got) != 5 || got[0] != "CHAPTER ONE" || !strings.HasSuffix(got[1], "at every second turn. Nobody spoke.") {
		t.Errorf("a book is %v, %q", ok, got)
	}
	for _, end := range []string{"\r\n", "\r"} {
		if other, ok := paragraphs(strings.ReplaceAll(book, "\n", end)); !ok || !slices.Equal(other, got) {
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
		if got, ok := paragraphs(text); ok {
			t.Errorf("%s is cut by paragraphs: %.200q", name, got)
		}
	}
}

// No word of a book is lost.
func FuzzParagraphs(f *testing.F) {
	f.Add(book)
	f.Add("a\n\nb\r\rc")
	f.Fuzz(func(t *testing.T, text string) {
		list, _ := paragraphs(text)
		if got, want := strings.Fields(strings.Join(list, " ")), strings.Fields(text); !slices.Equal(got, want) {
			t.Errorf("%q became %q", want, got)
		}
	})
}
