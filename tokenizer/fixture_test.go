package tokenizer

import (
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/tokenizer/definition"
)

// fixture is one tokenizer of testdata with the reference's answers; make.py
// writes them.
type fixture struct {
	Tokenizer json.RawMessage
	Singles   []struct {
		Raw         string
		IDs, Plain  []int32
		AsText      []int32 `json:"as_text"`
		Types       []int32
		Special     []int
		Sequence    []int8
		Offsets     [][2]int
		Decoded     string
		DecodedSkip string `json:"decoded_skip"`
	}
	Pairs []struct {
		A, B       string
		IDs, Plain []int32
		Types      []int32
		PlainTypes []int32 `json:"plain_types"`
		Special    []int
		Sequence   []int8
		Offsets    [][2]int
	}
	Limits []struct {
		Max        int
		Left       bool
		A          string
		B          *string
		IDs, Types []int32
	}
}

var fixtureNames = []string{"wordpiece", "bert-cased", "mpnet", "roberta", "roberta-prefix", "xlm-roberta"}

func loadFixture(t testing.TB, name string) (fixture, *Tokenizer) {
	t.Helper()
	var f fixture
	loadJSON(t, filepath.Join("testdata", name+".json"), &f)
	return f, fromBytes(t, f.Tokenizer, definition.Config{})
}

func fromBytes(t testing.TB, data []byte, c definition.Config) *Tokenizer {
	t.Helper()
	tok, err := openJSON(data, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tok.Close() })
	return tok
}

func mustEncode(t testing.TB, tok *Tokenizer, text string, o Options) Encoding {
	t.Helper()
	e, err := tok.Encode(text, o)
	if err != nil {
		t.Fatalf("%.60q: %v", text, err)
	}
	return e
}

func equal[T comparable](t *testing.T, what, text string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s of %.80q:\n got %v\nwant %v", what, text, got, want)
	}
}

func bools(numbers []int) (b []bool) {
	for _, n := range numbers {
		b = append(b, n != 0)
	}
	return b
}

func TestReferenceSingles(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			f, tok := loadFixture(t, name)
			for _, c := range f.Singles {
				raw, err := hex.DecodeString(c.Raw)
				if err != nil {
					t.Fatal(err)
				}
				text := string(raw)
				e := mustEncode(t, tok, text, Options{ParseSpecial: true, Attributes: true})
				equal(t, "ids", text, e.IDs, c.IDs)
				equal(t, "types", text, e.Types, c.Types)
				equal(t, "special", text, e.Special, bools(c.Special))
				equal(t, "sequence", text, e.Sequence, c.Sequence)
				if c.Offsets != nil {
					equal(t, "offsets", text, e.Offsets, c.Offsets)
				}
				checkOffsets(t, text, e)
				plain := mustEncode(t, tok, text, Options{ParseSpecial: true, NoSpecial: true})
				equal(t, "plain ids", text, plain.IDs, c.Plain)
				asText := mustEncode(t, tok, text, Options{NoSpecial: true})
				if !tok.file.Hides() || !holdsControl(tok, text) {
					equal(t, "ids as text", text, asText.IDs, c.AsText)
				}
				decoded, err := tok.Decode(c.IDs, false)
				if err != nil || decoded != c.Decoded {
					t.Errorf("decoded %.80q: got %q, %v, want %q", text, decoded, err, c.Decoded)
				}
				decoded, err = tok.Decode(c.IDs, true)
				if err != nil || decoded != c.DecodedSkip {
					t.Errorf("decoded %.80q without special: got %q, %v, want %q", text, decoded, err, c.DecodedSkip)
				}
			}
		})
	}
}

// checkOffsets makes sure that offsets stay inside the text.
func checkOffsets(t *testing.T, text string, e Encoding) {
	t.Helper()
	for i, o := range e.Offsets {
		if o[0] < 0 || o[1] < o[0] || o[1] > len(text) {
			t.Errorf("%.80q: token %d has the offsets %v outside the text's %d bytes", text, i, o, len(text))
		}
	}
}

func TestReferencePairs(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			f, tok := loadFixture(t, name)
			for _, c := range f.Pairs {
				both := c.A + " | " + c.B
				e, err := tok.EncodePair(c.A, c.B, Options{ParseSpecial: true, Attributes: true})
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "ids", both, e.IDs, c.IDs)
				equal(t, "types", both, e.Types, c.Types)
				equal(t, "special", both, e.Special, bools(c.Special))
				equal(t, "sequence", both, e.Sequence, c.Sequence)
				equal(t, "offsets", both, e.Offsets, c.Offsets)
				plain, err := tok.EncodePair(c.A, c.B, Options{ParseSpecial: true, NoSpecial: true})
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "plain ids", both, plain.IDs, c.Plain)
				equal(t, "plain types", both, plain.Types, c.PlainTypes)
			}
		})
	}
}

func TestReferenceTruncation(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			f, right := loadFixture(t, name)
			left := fromBytes(t, f.Tokenizer, definition.Config{TruncationSide: "left"})
			for _, c := range f.Limits {
				tok := right
				if c.Left {
					tok = left
				}
				o := Options{ParseSpecial: true, MaxLength: c.Max}
				e, err := tok.Encode(c.A, o)
				text := c.A
				if c.B != nil {
					e, err = tok.EncodePair(c.A, *c.B, o)
					text += " | " + *c.B
				}
				if err != nil {
					t.Errorf("at most %d tokens of %.80q: %v", c.Max, text, err)
					continue
				}
				equal(t, "ids", text, e.IDs, c.IDs)
				equal(t, "types", text, e.Types, c.Types)
				if whole := o; e.Truncated {
					whole.MaxLength = 0
					full, _ := tok.Encode(c.A, whole)
					if c.B != nil {
						full, _ = tok.EncodePair(c.A, *c.B, whole)
					}
					if len(full.IDs) != len(e.IDs)+e.Dropped {
						t.Errorf("%.80q: %d tokens of %d, but %d dropped", text, len(e.IDs), len(full.IDs), e.Dropped)
					}
				}
			}
		})
	}
}

// TestFileTruncation makes sure that the file's own truncation and padding are
// not applied.
func TestFileTruncation(t *testing.T) {
	_, tok := loadFixture(t, "bert-cased")
	if e := mustEncode(t, tok, strings.Repeat("the lake ", 50), Options{}); len(e.IDs) != 102 {
		t.Errorf("a text of 100 words has %d tokens, want 102", len(e.IDs))
	}
	if e := mustEncode(t, tok, "the lake", Options{}); len(e.IDs) != 4 {
		t.Errorf("a text of 2 words has %d tokens, want 4", len(e.IDs))
	}
}
