package weights

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestScannerAgreesWithStandard compares what is JSON and what is not with
// encoding/json, on damaged documents.
func TestScannerAgreesWithStandard(t *testing.T) {
	const document = `{"a\n\u00e9\ud83d\ude00":[0,-1.50e+3,true,false,null,{}],"b":{"c":"","d":[[]]},"e":1E-2}`
	const alphabet = `{}[]:,"\u0123456789eE+-.truefalsn` + " \t\n\x01\x7f"
	valid := func(s string) bool {
		j := &scanner{s: s}
		return j.skip() == nil && j.end() == nil
	}
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 200_000 {
		b := []byte(document)
		for range 1 + random.IntN(2) {
			switch i := random.IntN(len(b)); random.IntN(3) {
			case 0:
				b[i] = alphabet[random.IntN(len(alphabet))]
			case 1:
				b = append(b[:i], b[i+1:]...)
			case 2:
				b = append(b[:i+1], b[i:]...)
			}
		}
		want := json.Valid(b)
		if want {
			accepted++
		}
		// encoding/json replaces half a surrogate pair, so that two spellings would be one
		// name. Here it is an error.
		if got := valid(string(b)); got != want && !(want && lossy(b)) {
			t.Fatalf("%q: valid %v, encoding/json says %v", b, got, want)
		}
	}
	if accepted < 10_000 {
		t.Errorf("only %d of the documents were valid", accepted)
	}
}

// lossy reports whether encoding/json had to replace something.
func lossy(document []byte) bool {
	var v any
	if json.Unmarshal(document, &v) != nil {
		return true // a number out of range
	}
	again, _ := json.Marshal(v)
	for _, r := range string(again) {
		if r == '\ufffd' {
			return true
		}
	}
	return false
}

func TestScannerStrings(t *testing.T) {
	for document, want := range map[string]string{
		`""`:                     "",
		`"plain"`:                "plain",
		`"\""`:                   `"`,
		`"\\"`:                   `\`,
		`"a\/b\b\f\n\r\t"`:       "a/b\b\f\n\r\t",
		`"\u0041\u00e9\u20AC"`:   "Aé€",
		`"\ud83d\ude00!"`:        "😀!",
		`"é😀"`:                   "é😀",
		`"\u0000"`:               "\x00",
		`"\\u0041"`:              `\u0041`,
		`"a\u0062c\"d\\\\\"e\n"`: "abc\"d\\\\\"e\n",
	} {
		j := &scanner{s: document}
		if got, err := j.string(); err != nil || got != want || j.end() != nil {
			t.Errorf("%s: %q, %v, want %q", document, got, err, want)
		}
	}
}
