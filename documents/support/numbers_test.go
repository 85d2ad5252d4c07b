package support

import "testing"

// TestNumbers compares numbers in many spellings: those of a claim with those of a passage.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		claim, passage string
		same           bool
	}{
		{"2 cats", "two cats", true},
		{"2 cats", "three cats", false},
		{"1,000 people", "1000 people", true},
		{"1.000 Leute", "1000 Leute", true},
		{"10 000 people", "10,000 people", true},
		{"3 percent", "3 %", true},
		{"3 per cent", "3%", true},
		{"3 percent", "3 euros", false},
		{"twenty-five", "25", true},
		{"two hundred and forty", "240", true},
		{"a hundred", "100", true},
		{"one thousand two hundred", "1,200", true},
		{"12 eggs", "a dozen eggs", true},
		{"two dozen", "24", true},
		{"2.5 million", "2,500,000", true},
		{"3rd", "third", true},
		{"3rd", "4th", false},
		{"12th", "twelfth", true},
		{"€5", "5 euros", true},
		{"5 euros", "5 dollars", false},
		{"4.50", "4,50", true},
		{"4.50", "5.40", false},
		{"30 days", "thirty days", true},
		{"30-day", "30 days", true},
		{"30 days", "30 weeks", false},
		{"two weeks", "14 days", true},
		{"24 months", "two years", true},
		{"24 hours", "1 day", true},
		{"one month", "a month", true},
		{"one month", "two months", false},
		{"500 m", "0.5 km", true},
		{"25 MB", "25 GB", false},
		{"-5 °C", "−5 °C", true},
		{"-5 °C", "5 °C", false},
		{"1 March", "March 1", true},
		{"1 March", "1st of March", true},
		{"1 March", "1. März", true},
		{"2024-03-01", "1 March 2024", true},
		{"1/3/2024", "1 March 2024", true},
		{"1 March", "2 March", false},
		{"1 March", "1 May", false},
		{"in June", "14 June", true},
		{"14 June", "in June", false},
		{"before June", "before July", false},
		{"2 pm", "14:00", true},
		{"2 pm", "2 am", false},
		{"9 o'clock", "9 pm", true},
		{"14:30", "2:30 p.m.", true},
		{"8 in the morning", "8 am", true},
		{"8 in the evening", "8 am", false},
		{"chapter 4", "Chapter IV", true},
		{"about 80 people", "82 people", true},
		{"80 people", "82 people", false},
		{"zwölf Leute", "12 Leute", true},
		{"99999999999999999999", "99999999999999999998", true}, // as near as can be told
	} {
		claimed := numbersOf(c.claim)
		if len(claimed) == 0 {
			t.Errorf("%s: no number", c.claim)
			continue
		}
		same := true
		for _, n := range claimed {
			same = same && (n.weak || anySays(numbersOf(c.passage), n))
		}
		if same != c.same {
			t.Errorf("%q and %q: %t; %+v and %+v", c.claim, c.passage, same, claimed, numbersOf(c.passage))
		}
	}
}

// What only looks like a number of something is none.
func TestNoNumbers(t *testing.T) {
	for _, text := range []string{"A4 paper", "the 3D printer", "x86 processors", "you may march on", "a cat", "no one", "first of all", "one of them"} {
		for _, n := range numbersOf(text) {
			if !n.weak {
				t.Errorf("%s: %+v", text, n)
			}
		}
	}
}
