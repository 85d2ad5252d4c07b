package support_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"inglenook/documents/support"
)

var lease = []support.Passage{
	{Heading: "Lease › Deposit", Text: "The tenant pays a deposit of two months of rent. The landlord returns it within thirty days of the end of\nthe lease, less the cost of dam-\nage beyond fair wear."},
	{Heading: "Lease › Pets", Text: "One cat or one small dog is allowed. Other animals need written consent."},
}

// What a passage says word for word is supported, however it is set.
func TestRepeatedText(t *testing.T) {
	for _, answer := range []string{
		"The landlord returns it within thirty days of the end of the lease, less the cost of damage beyond fair wear.",
		"THE LANDLORD RETURNS IT WITHIN THIRTY DAYS OF THE END OF THE LEASE.",
		"the  landlord returns it within\nthirty days of the end of the lease",
		"“Other animals need written consent.”",
	} {
		claims, err := support.Judge(t.Context(), "", answer, lease, nil)
		if err != nil || len(claims) != 1 || !claims[0].Supported() || claims[0].Score != 1 {
			t.Errorf("%s: %+v, error %v", answer, claims, err)
		}
	}
}

// A part of a sentence that says the opposite of the whole is not supported by it.
func TestRepeatedPartOfDenial(t *testing.T) {
	passages := []support.Passage{{Text: "Smoking on the balcony is never allowed in this house."}}
	for _, answer := range []string{"Smoking on the balcony is allowed in this house.", "allowed in this house on the balcony is smoking"} {
		if claims, err := support.Judge(t.Context(), "", answer, passages, nil); err != nil || claims[0].Supported() || claims[0].Why == "" {
			t.Errorf("%s: %+v, error %v", answer, claims, err)
		}
	}
}

// Each claim says where it stands and which sentence supports it.
func TestJudgePlaces(t *testing.T) {
	answer := "Hello! The tenant pays a deposit of two months of rent [1]. One cat is allowed."
	claims, err := support.Judge(t.Context(), "", answer, lease, nil)
	if err != nil || len(claims) != 2 {
		t.Fatalf("%+v, error %v", claims, err)
	}
	if c := claims[0]; answer[c.Start:c.End] != "The tenant pays a deposit of two months of rent [1]." || c.Passage != 0 || text(lease, c) != "The tenant pays a deposit of two months of rent." {
		t.Errorf("%+v", c)
	}
	if c := claims[1]; answer[c.Start:c.End] != "One cat is allowed." || c.Passage != 1 || text(lease, c) != "One cat or one small dog is allowed." {
		t.Errorf("%+v", c)
	}
}

// Each reason is one that a person understands.
func TestJudgeReasons(t *testing.T) {
	for answer, want := range map[string]string{
		"The tenant pays a deposit of five months of rent.":  "the number “five months” is not in the passages",
		"The tenant pays Maria Lopez a deposit.":             "“Maria” is not in the passages",
		"One cat or one small dog is not allowed.":           "the passage says something else about “allowed”",
		"The kitchen has a new oven with a glass door.":      "no passage says this",
		"The landlord returns the deposit within two months": "the passage has another number than “two months”",
	} {
		claims, err := support.Judge(t.Context(), "", answer, lease, nil)
		if err != nil || len(claims) != 1 || claims[0].Supported() || claims[0].Score >= support.Enough || !strings.Contains(claims[0].Why, want) {
			t.Errorf("%s: %+v, error %v, want %q", answer, claims, err, want)
		}
	}
}

// Odd input has a result or an error, and no work without bound.
func TestJudgeOddInput(t *testing.T) {
	long := strings.Repeat("The fee is five euros and the dog is small. ", 30000)
	m := counted{}
	for name, in := range map[string]struct {
		answer   string
		passages []support.Passage
	}{
		"nothing":            {"", nil},
		"no passages":        {"The fee is 5 euros.", nil},
		"empty passages":     {"The fee is 5 euros.", []support.Passage{{}, {Heading: "Fees"}}},
		"long answer":        {long, lease},
		"long passage":       {"The fee is five euros.", []support.Passage{{Text: long}}},
		"one long word":      {strings.Repeat("a", 1<<17), []support.Passage{{Text: strings.Repeat("a", 1<<17)}}},
		"broken characters":  {"\xff\x80 is \xfe5 euros.", []support.Passage{{Text: strings.Repeat("\x80", 5000)}}},
		"signs":              {"… — !!! ***", lease},
		"other scripts":      {"图书馆周二开放。مفتوح يوم الثلاثاء. Ανοιχτά την Τρίτη.", []support.Passage{{Text: "图书馆周二开放。"}}},
		"many numbers":       {strings.Repeat("12 ", 20000), lease},
		"digits without end": {strings.Repeat("9", 100000), lease},
	} {
		t.Run(name, func(t *testing.T) {
			for _, meaning := range []support.Meaning{nil, &m} {
				claims, err := support.Judge(t.Context(), "What is the fee?", in.answer, in.passages, meaning)
				if err != nil || len(claims) > support.MostClaims {
					t.Errorf("%d claims, error %v", len(claims), err)
				}
				for _, c := range claims {
					if c.Supported() != (c.Why == "") || c.Supported() != (c.Score >= support.Enough) || c.Start < 0 || c.End > len(in.answer) {
						t.Errorf("%+v", c)
					}
				}
				if _, _, err := support.Answerable(t.Context(), cutTo(in.answer, 2000), in.passages, meaning); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if m.most > 6000 {
		t.Errorf("%d texts were compared at once", m.most)
	}
}

func cutTo(s string, n int) string { return s[:min(n, len(s))] }

// counted counts texts and finds none alike.
type counted struct{ most int }

func (c *counted) Similar(_ context.Context, texts, others []string) ([][]float64, error) {
	c.most = max(c.most, len(texts)+len(others))
	scores := make([][]float64, len(texts))
	for i := range scores {
		scores[i] = make([]float64, len(others))
	}
	return scores, nil
}

// An embedder that fails, gives too little or was told to stop ends the judgement.
func TestJudgeErrors(t *testing.T) {
	broken := errors.New("broken")
	for name, m := range map[string]support.Vectors{
		"fails":     func(context.Context, []string) ([][]float32, error) { return nil, broken },
		"too few":   func(context.Context, []string) ([][]float32, error) { return [][]float32{{1}}, nil },
		"cancelled": func(ctx context.Context, _ []string) ([][]float32, error) { return nil, context.Canceled },
	} {
		if claims, err := support.Judge(t.Context(), "", "One cat is allowed.", lease, m); err == nil {
			t.Errorf("%s: %+v", name, claims)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := support.Judge(ctx, "", "One cat is allowed.", lease, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The best sentences come first, and none twice.
func TestAnswerable(t *testing.T) {
	ok, best, err := support.Answerable(t.Context(), "Is a small dog allowed?", lease, starter(t))
	if err != nil || !ok || len(best) == 0 {
		t.Fatalf("%t, %+v, error %v", ok, best, err)
	}
	if e := best[0]; lease[e.Passage].Text[e.Span.Start:e.Span.End] != "One cat or one small dog is allowed." {
		t.Errorf("%+v", e)
	}
	for i, e := range best {
		for _, other := range best[:i] {
			if other.Passage == e.Passage && other.Span.Start < e.Span.End && e.Span.Start < other.Span.End || other.Score < e.Score {
				t.Errorf("%+v behind %+v", e, other)
			}
		}
	}
	for _, question := range []string{"How high is the deposit?", "how soon does the landlord return the deposit"} {
		if ok, best, err := support.Answerable(t.Context(), question, lease, starter(t)); err != nil || !ok {
			t.Errorf("%s %t, %+v, error %v", question, ok, best[:min(1, len(best))], err)
		}
	}
	if ok, _, err := support.Answerable(t.Context(), "How do I change the oil of a car?", lease, starter(t)); err != nil || ok {
		t.Errorf("%t, error %v", ok, err)
	}
}
