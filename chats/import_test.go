package chats

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"
)

// A file of conversations that is changed at random is refused, or its conversations can be
// continued: the next message is stored and ends the branch.
func TestHostileImports(t *testing.T) { hostileImports(t, 300) }

func hostileImports(t *testing.T, n int) {
	at := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	var whole bytes.Buffer
	try(t, WriteJSON(&whole, Conversation{Summary: Summary{Title: "a", Created: at, Updated: at}, System: "x", Leaf: 3, Messages: []Message{
		{ID: 1, Role: RoleUser, Time: at, Parts: Content("a", Part{Kind: PartFile, Name: "n", Text: "t", Tokens: 1})},
		{ID: 2, Parent: 1, Role: RoleAssistant, Parts: Content("b"), Time: at, Reply: &Reply{Tokens: 5, Took: time.Second}},
		{ID: 3, Parent: 2, Role: RoleUser, Parts: Content("c"), Time: at},
	}}))
	r := rand.New(rand.NewPCG(15, 1))
	s := open(t, t.TempDir(), idle)
	accepted := 0
	for i := range n {
		data := hostileImport(r, whole.Bytes())
		list, err := ReadJSON(data)
		if err != nil {
			continue
		}
		accepted++
		for _, c := range list {
			id, err := s.Create(c)
			if err != nil {
				t.Fatalf("import %d is read, but not taken: %v\n%s", i, err, data)
			}
			leaf := must(s.Conversation(id))(t).Leaf
			added, err := s.Add(id, Message{Parent: leaf, Role: RoleUser, Parts: Content("next")})
			if err != nil {
				t.Fatalf("import %d cannot be continued: %v\n%s", i, err, data)
			}
			path := must(s.Path(id))(t)
			if last := path[len(path)-1]; last.ID != added || last.Text() != "next" {
				t.Fatalf("import %d: message %d is not the end of its branch, %+v is\n%s", i, added, last, data)
			}
		}
	}
	t.Logf("%d of %d imports are read", accepted, n)
	if accepted < n/20 || accepted > n*9/10 {
		t.Error("the changes test nothing")
	}
}

var scalar = regexp.MustCompile(`(?:-?[0-9]+(?:\.[0-9]+)?|"[^"]*"|true|false|null)\b|"[^"]*"`)

// hostileImport changes one to three numbers, strings or spans of a file.
func hostileImport(r *rand.Rand, whole []byte) []byte {
	others := []string{
		"0", "-1", "1", "2", "3", "4", "1e30", "-0.5", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "null", "true", "[]", "{}",
		`""`, `"user"`, `"assistant"`, `"system"`, `"\u0000"`, `"\ud800"`, `"9999-12-31T00:00:00Z"`, `"0001-01-01T00:00:00Z"`, `"../../x"`,
	}
	data := slices.Clone(whole)
	for range 1 + r.IntN(3) {
		places := scalar.FindAllIndex(data, -1)
		if len(places) == 0 {
			return data
		}
		at := places[r.IntN(len(places))]
		switch r.IntN(8) {
		case 0: // twice
			data = slices.Insert(data, at[1], append([]byte{','}, data[at[0]:at[1]]...)...)
		case 1: // a span that is removed
			to := min(at[0]+1+r.IntN(40), len(data))
			data = slices.Delete(data, at[0], to)
		default:
			data = slices.Replace(data, at[0], at[1], []byte(others[r.IntN(len(others))])...)
		}
	}
	return data
}
