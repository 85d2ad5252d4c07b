package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mutant is one mistake planted in one line of a kernel source.
type mutant struct {
	file string
	line int // from 1
	kind string
	was  string // the line, trimmed
	is   string
	text string // the whole line with the mistake
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d %s", m.file, m.line, m.kind) }

// mutator replaces each match of a pattern in the code of a line.
type mutator struct {
	kind    string
	pattern *regexp.Regexp
	replace func(match string) []string
}

// to replaces by fixed texts, in which $1 is a group of the pattern.
func to(kind, pattern string, texts ...string) mutator {
	re := regexp.MustCompile(pattern)
	return mutator{kind, re, func(match string) []string {
		var out []string
		for _, text := range texts {
			out = append(out, re.ReplaceAllString(match, text))
		}
		return out
	}}
}

var mutators = []mutator{
	to("barrier removed", `(threadgroup|simdgroup)_barrier\([^;]*\);`, ";"),
	to("barrier of the simdgroup only", `threadgroup_barrier\(`, "simdgroup_barrier("),
	to("barrier without its fence", `mem_flags::mem_(threadgroup|device)`, "mem_flags::mem_none"),
	to("guard dropped", `if \(([^;{}]*)\) (\{|return)`, "if (true) $2", "if (false) $2"),
	to("bound moved", ` < `, " <= "),
	to("bound moved", ` <= `, " < "),
	to("bound moved", ` > `, " >= "),
	to("bound moved", ` >= `, " > "),
	to("comparison turned", ` == `, " != "),
	to("comparison turned", ` != `, " == "),
	to("condition turned", ` && `, " || "),
	to("condition turned", ` \|\| `, " && "),
	to("choice turned", ` \? ([^?:;]*) : ([^?:;]*)(;|\))`, " ? $2 : $1$3"),
	to("operator swapped", ` \+ `, " - "),
	to("operator swapped", ` - `, " + "),
	to("operator swapped", `([\w\])]) \* ([\w(])`, "$1 / $2", "$1 + $2"),
	to("operator swapped", ` / `, " * "),
	to("operator swapped", ` % `, " / "),
	to("operator swapped", ` \+= `, " = ", " -= "),
	to("operator swapped", ` \*= `, " = "),
	to("operator swapped", ` << `, " >> "),
	to("operator swapped", ` >> `, " << "),
	to("operator swapped", ` & (\w)`, " | $1"),
	to("operator swapped", ` \| (\w)`, " & $1"),
	to("function swapped", `\bmin\(`, "max("),
	to("function swapped", `\bmax\(`, "min("),
	to("function swapped", `\bsimd_(sum|max)\(`, "("),
	to("function swapped", `\bexp\(`, "("),
	to("function swapped", `\brsqrt\(`, "sqrt("),
	to("transposed", `\btrue\b`, "false"),
	to("transposed", `\bfalse\b`, "true"),
	to("sign lost", `([(,=?:] )-(\w)`, "$1$2"),
	to("result lost", `^(\s*)[\w.\[\]]+ = ([^;]*);$`, "$1;"),
	{"constant off by one", regexp.MustCompile(`\b\d+\b`), func(match string) []string {
		n, err := strconv.Atoi(match)
		if err != nil {
			return nil
		}
		if n == 0 {
			return []string{"1"}
		}
		return []string{strconv.Itoa(n + 1), strconv.Itoa(n - 1)}
	}},
	{"constant changed", regexp.MustCompile(`\b\d+(\.\d+)?(e[-+]?\d+)?f\b`), func(match string) []string {
		return []string{"(1.25f * " + match + " + 0.001f)"}
	}},
}

// code is the part of a line that can hold a mistake: no comment, no attribute, no
// declaration of a parameter, a constant of Metal or an instantiation.
func code(line string) (string, bool) {
	before, _, _ := strings.Cut(line, "//")
	t := strings.TrimSpace(before)
	for _, prefix := range []string{"#", "template", "typedef", "using", "kernel", "struct", "constant int FC_"} {
		if strings.HasPrefix(t, prefix) {
			return "", false
		}
	}
	return before, t != "" && !strings.Contains(before, "[[") && !strings.HasPrefix(t, "static inline") && !strings.HasSuffix(t, ",")
}

// mutants lists every mistake that the mutators can plant in a file.
func mutants(file, source string) []mutant {
	var all []mutant
	seen := map[string]bool{}
	for i, line := range strings.Split(source, "\n") {
		before, ok := code(line)
		if !ok {
			continue
		}
		for _, m := range mutators {
			for _, at := range m.pattern.FindAllStringIndex(before, -1) {
				if at[0] > 0 && m.kind == "constant off by one" && strings.ContainsAny(before[at[0]-1:at[0]], ".") {
					continue // a part of a real number
				}
				if at[1] < len(before) && m.kind == "constant off by one" && before[at[1]] == '.' {
					continue
				}
				for _, text := range m.replace(before[at[0]:at[1]]) {
					changed := before[:at[0]] + text + before[at[1]:]
					key := fmt.Sprint(i, changed)
					if changed == before || seen[key] {
						continue
					}
					seen[key] = true
					all = append(all, mutant{file, i + 1, m.kind, strings.TrimSpace(before), strings.TrimSpace(changed), changed + line[len(before):]})
				}
			}
		}
	}
	return all
}

// plant returns the source with the mistake.
func plant(source string, m mutant) string {
	lines := slices.Clone(strings.Split(source, "\n"))
	lines[m.line-1] = m.text
	return strings.Join(lines, "\n")
}
