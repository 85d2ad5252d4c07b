package support

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestStatements cuts answers of every form.
func TestStatements(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   []string
	}{
		"empty":               {"", nil},
		"spaces":              {" \n\t\n", nil},
		"two sentences":       {"The pool opens at 8. It closes at 9 p.m. on Sundays.", []string{"The pool opens at 8.", "It closes at 9 p.m. on Sundays."}},
		"fragment":            {"42 days.", []string{"42 days."}},
		"marker":              {"The fee is 5 euros [2]. It is due on Monday. [1, 3]", []string{"The fee is 5 euros .", "It is due on Monday."}},
		"marker in words":     {"The fee is 5 euros (Passage 1) and is due (see passages 2 and 3) on Monday.", []string{"The fee is 5 euros and is due on Monday."}},
		"from where":          {"According to passage 2, the fee is 5 euros. The text says that it is due on Monday.", []string{"The fee is 5 euros.", "It is due on Monday."}},
		"list":                {"The rules are:\n\n- no dogs\n* no fires\n3. no music after ten", []string{"no dogs", "no fires", "no music after ten"}},
		"item over two lines": {"- The first item goes\n  on here.\n- The second one.", []string{"The first item goes on here.", "The second one."}},
		"heading":             {"# Fees\n\nThe fee is 5 euros.\n\nRules\n=====\n\nDogs are not allowed.", []string{"The fee is 5 euros.", "Dogs are not allowed."}},
		"emphasis":            {"The **fee** is _5 euros_ for `snake_case` and 2 * 3.", []string{"The fee is 5 euros for snake_case and 2 * 3."}},
		"code":                {"Run this:\n\n```sh\nrm -r build\n```\n\nIt removes the folder.", []string{"It removes the folder."}},
		"open code":           {"Run this.\n```\nrm -r build", []string{"Run this."}},
		"table":               {"| Plant | Price |\n| --- | ---: |\n| Rose | 24.50 |\n| Mint | 2 |", []string{"| Rose | 24.50 |", "| Mint | 2 |"}},
		"quote":               {"> The fee is 5 euros.", []string{"The fee is 5 euros."}},
		"link":                {"See [the price list](https://example.com/a_b) for the fee of 5 euros.", []string{"See the price list for the fee of 5 euros."}},
		"greeting":            {"Hello! Sure, happy to help. The fee is 5 euros. Let me know if you need more.", []string{"The fee is 5 euros."}},
		"question back":       {"Which pool do you mean?", nil},
		"not known":           {"That is not in the passages. I could not find it. The passages do not mention a fee. There is no information about this.", nil},
		"sorry":               {"I'm sorry, but I don't know.", nil},
		"bad news":            {"Unfortunately, dogs are not allowed.", []string{"Unfortunately, dogs are not allowed."}},
		"about documents":     {"The documents are kept for six years.", []string{"The documents are kept for six years."}},
		"Chinese":             {"图书馆周二开放。周一关闭。", []string{"图书馆周二开放。", "周一关闭。"}},
		"German":              {"Das steht nicht in den Texten. Hunde sind z.B. an der Leine zu führen.", []string{"Hunde sind z.B. an der Leine zu führen."}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, s := range statements(c.answer) {
				got = append(got, s.text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}

func TestStatementsKnowWhatIsAbove(t *testing.T) {
	got := statements("These are allowed:\n\n- cats\n- dogs\n\n| Plant | Price |\n|---|---|\n| Rose | 5 |")
	if len(got) != 3 || got[1].lead != "These are allowed:" || got[2].lead != "Plant Price" {
		t.Errorf("%+v", got)
	}
}

// A long answer is judged up to a bound.
func TestStatementsAreBounded(t *testing.T) {
	if got := statements(strings.Repeat("The fee is five euros. ", 5000)); len(got) != MostClaims {
		t.Errorf("%d statements", len(got))
	}
}

func FuzzStatements(f *testing.F) {
	for _, seed := range []string{"", "a", "- a\n- b", "| a |\n|---|\n| b |", "```\nx", "> [1] *a* _b_ `c` ](d) <e>", "# a\n===\n1. b?", "\xff\xfe. A【2】。b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		plain := withoutMarkers(answer)
		if len(plain) != len(answer) {
			t.Fatalf("%d bytes became %d", len(answer), len(plain))
		}
		last := 0
		for _, s := range statements(answer) {
			if s.Start < last || s.End <= s.Start || s.End > len(answer) {
				t.Fatalf("%d-%d of %d behind %d", s.Start, s.End, len(answer), last)
			}
			if utf8.ValidString(answer) && !utf8.ValidString(answer[s.Start:s.End]) {
				t.Fatalf("%q is cut within a character", answer[s.Start:s.End])
			}
			last = s.End
		}
	})
}
