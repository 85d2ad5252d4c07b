package chats

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	fold := newFolding()
	for text, want := range map[string]string{
		"":                       "",
		"Hello, WORLD [@`{]":     "hello, world [@`{]",
		"ABCDEFGHIJKLMNOPQRST":   "abcdefghijklmnopqrst",
		"Über Ärger, U\u0308ber": "uber arger, uber",
		"Straße STRASSE ẞ":       "strasse strasse ss",
		"Łódź Ørsted Æsir":       "lodz orsted aesir",
		"Ёлка Ἀθῆναι ΣΑΣ":        "елка αθηναι σασ",
		"İstanbul ıI":            "istanbul ii",
		"Việt Nam":               "viet nam",
		"שָׁלוֹם":                "שלום",
		"が か 한국 कु":              "が か 한국 कु",
		"Ａ漢":                     "ａ漢",
		"abcdefgé":               "abcdefge",
	} {
		if got := string(fold.text(nil, text)); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// The folded text does not depend on where the groups of eight bytes begin.
func TestFoldRuneByRune(t *testing.T) {
	fold := newFolding()
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var text strings.Builder
		for range r.IntN(30) {
			text.WriteRune(rune(r.IntN(1 << r.IntN(18))))
		}
		var want string
		for _, c := range valid(text.String()) {
			want += fold.of(c)
		}
		if got := string(fold.text(nil, valid(text.String()))); got != want {
			t.Fatalf("%q becomes %q, not %q", text.String(), got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	fold := newFolding()
	for _, c := range []struct{ text, word, want string }{
		{"the sky is Blue", "blue", "Blue"},
		{"Über", "ube", "Übe"},
		{"x cafe\u0301 y", "cafe", "cafe\u0301"},
		{"Straße", "ss", "ß"},
		{"Straße", "as", "aß"},
		{"日本語のテキスト", "語の", "語の"},
	} {
		from, to, ok := fold.place(c.text, []byte(c.word))
		if !ok || c.text[from:to] != c.want {
			t.Errorf("%q in %q: %q, %v", c.word, c.text, c.text[from:to], ok)
		}
	}
	if _, _, ok := fold.place("abc", []byte("d")); ok {
		t.Error("found what is not there")
	}
}

func TestSearch(t *testing.T) {
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir(), idle, func(o *options) { o.now = func() time.Time { clock = clock.Add(time.Minute); return clock } })
	names := map[string]string{}
	begin := func(name, titled string, texts ...string) string {
		id := must(s.Create(Conversation{Summary: Summary{Title: titled, Titled: titled != ""}}))(t)
		parent := int64(0)
		for i, text := range texts {
			role := []string{RoleUser, RoleAssistant}[i%2]
			parent = must(s.Add(id, Message{Parent: parent, Role: role, Parts: Content(text)}))(t)
		}
		names[id] = name
		return id
	}
	long := strings.Repeat("word after word ", 50)
	begin("sky", "", "Why is the sky blue?", "Because of "+long+"Rayleigh’s scattering.\n\nÜberall. "+long)
	begin("titled", "Blue sky at noon", "Hello", "Hi")
	begin("apart", "", "The sky", "What about it?", "and blue")
	begin("other", "", "Nothing of it", "Right")
	gone := begin("gone", "", "sky blue")
	try(t, s.Delete(gone))
	hidden := begin("hidden", "", "green", "sky blue grass")
	try(t, s.DeleteMessage(hidden, 2))
	file := begin("file", "")
	must(s.Add(file, Message{Role: RoleUser, Parts: Content("See", File("notes.txt", "a zeppelin"))}))(t)

	for query, want := range map[string][]string{
		"blue SKY":          {"titled", "sky", "apart"},
		"uberall":           {"sky"},
		"rayleigh zeppelin": nil,
		"zeppelin":          {"file"},
		"notes.TXT":         {"file"},
		"grass":             nil,
		"sky\x00":           nil,
		"\xff":              nil,
	} {
		var got []string
		for _, found := range s.Search(query, 0) {
			got = append(got, names[found.ID])
			if m := found.Match; !utf8.ValidString(found.Snippet) || m[0] > m[1] || m[1] > len(found.Snippet) {
				t.Errorf("%q: %v of %q", query, m, found.Snippet)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %v, not %v", query, got, want)
		}
	}
	found := s.Search("ÜBERALL", 5)[0]
	if place := found.Snippet[found.Match[0]:found.Match[1]]; place != "Überall" || found.Found != 2 || len(found.Snippet) > 250 || strings.Contains(found.Snippet, "\n") {
		t.Errorf("%+v", found)
	}
	if n := len(s.Search("", 0)); n != 6 {
		t.Errorf("an empty query finds %d", n)
	}
	if n := len(s.Search("sky", 1)); n != 1 {
		t.Errorf("a limit of one gives %d", n)
	}
	if n := len(s.Search(strings.Repeat("sky blue ", 40), 0)); n != 0 {
		t.Errorf("words beyond the limit are passed over: %d found", n)
	}
}

// words returns texts of about size bytes, made of words of a seed.
func words(r *rand.Rand, size int) string {
	var text strings.Builder
	for text.Len() < size {
		fmt.Fprintf(&text, "%s ", vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64())])
	}
	return text.String()
}

var vocabulary = func() []string {
	r := rand.New(rand.NewPCG(7, 7))
	list := make([]string, 4000)
	for i := range list {
		for range 2 + r.IntN(8) {
			list[i] += string(rune('a' + r.IntN(26)))
		}
	}
	list[3], list[5] = "Übung", "The"
	return list
}()
