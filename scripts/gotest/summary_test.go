package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// feed writes events as go test -json does, in pieces that do not end where lines end.
func feed(t *testing.T, events []event) (*summary, string) {
	t.Helper()
	var lines, out bytes.Buffer
	enc := json.NewEncoder(&lines)
	for _, e := range events {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	s := newSummary(&out)
	for data := lines.Bytes(); len(data) > 0; {
		n := min(7, len(data))
		if _, err := s.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	s.print()
	return s, out.String()
}

func TestSummary(t *testing.T) {
	cases := []struct {
		name           string
		events         []event
		passed, failed int
		says, omits    string
	}{
		{
			name: "what passes stays quiet",
			events: []event{
				{Action: "run", Package: "p", Test: "TestA"},
				{Action: "output", Package: "p", Test: "TestA", Output: "chatter\n"},
				{Action: "pass", Package: "p", Test: "TestA"},
				{Action: "pass", Package: "p", Elapsed: 0.5},
			},
			passed: 1, says: "ok    p 0.5s", omits: "chatter",
		},
		{
			name: "a parent counts through its subtests",
			events: []event{
				{Action: "run", Package: "p", Test: "TestA"},
				{Action: "run", Package: "p", Test: "TestA/x"},
				{Action: "run", Package: "p", Test: "TestA/y"},
				{Action: "output", Package: "p", Test: "TestA/y", Output: "y is wrong\n"},
				{Action: "pass", Package: "p", Test: "TestA/x"},
				{Action: "fail", Package: "p", Test: "TestA/y"},
				{Action: "fail", Package: "p", Test: "TestA"},
				{Action: "fail", Package: "p"},
			},
			passed: 1, failed: 1, says: "y is wrong",
		},
		{
			name: "a parent that fails by itself counts",
			events: []event{
				{Action: "run", Package: "p", Test: "TestA"},
				{Action: "run", Package: "p", Test: "TestA/x"},
				{Action: "pass", Package: "p", Test: "TestA/x"},
				{Action: "fail", Package: "p", Test: "TestA"},
				{Action: "fail", Package: "p"},
			},
			passed: 1, failed: 1,
		},
		{
			name: "a package that does not build is a failure",
			events: []event{
				{Action: "build-output", ImportPath: "p", Output: "p.go:3:1: syntax error\n"},
				{Action: "build-fail", ImportPath: "p"},
				{Action: "fail", Package: "p", FailedBuild: "p"},
			},
			failed: 1, says: "syntax error",
		},
		{
			name: "a process that dies is a failure and its last words are shown",
			events: []event{
				{Action: "run", Package: "p", Test: "TestA"},
				{Action: "output", Package: "p", Test: "TestA", Output: "SIGSEGV\n"},
				{Action: "fail", Package: "p"},
			},
			failed: 1, says: "SIGSEGV",
		},
		{
			name: "a reason to skip is said once",
			events: []event{
				{Action: "run", Package: "p", Test: "TestA"},
				{Action: "output", Package: "p", Test: "TestA", Output: "    a_test.go:9: no model: here\n"},
				{Action: "skip", Package: "p", Test: "TestA"},
				{Action: "run", Package: "p", Test: "TestB"},
				{Action: "output", Package: "p", Test: "TestB", Output: "    a_test.go:19: no model: here\n"},
				{Action: "skip", Package: "p", Test: "TestB"},
				{Action: "pass", Package: "p"},
			},
			says: "skip  p TestA and 1 more: no model: here\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, out := feed(t, c.events)
			if s.passed != c.passed || s.failed != c.failed {
				t.Errorf("%d passed, %d failed; want %d and %d", s.passed, s.failed, c.passed, c.failed)
			}
			if !strings.Contains(out, c.says) {
				t.Errorf("output lacks %q:\n%s", c.says, out)
			}
			if c.omits != "" && strings.Contains(out, c.omits) {
				t.Errorf("output has %q:\n%s", c.omits, out)
			}
		})
	}
}
