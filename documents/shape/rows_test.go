package shape

import "testing"

func TestRows(t *testing.T) {
	for written, want := range map[string]string{
		"Month,Crop\nMay,\"Peas, beans\"": "Month | Crop\nMay | Peas, beans",
		"a,b\nThe last line is cut":       "a | b\nThe last line is cut",
		"a,\"b\nc\",d\ne,f":               "a | b c | d\ne | f",
		"Peas":                            "Peas",
		"":                                "",
		"a,\"b":                           "a | b",
	} {
		if got := Rows(written); got != want {
			t.Errorf("%q becomes %q, want %q", written, got, want)
		}
	}
}
