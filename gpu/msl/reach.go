package msl

import (
	"maps"
	"slices"
	"strings"
)

// reach builds the call graph: Metal has no recursion, and a pipeline needs the
// function constants that its kernel can reach.
//
// Functions are identified by name, so overloads are one: a function that calls
// another of its own name counts as recursion.
func (p *parser) reach() {
	g := &calls{p: p, constants: map[string]int{}, reached: map[string]map[int]bool{}, open: map[string]bool{}}
	for _, c := range p.program.Constants {
		g.constants[c.Name] = c.Index
	}
	for _, name := range slices.Sorted(maps.Keys(p.functions)) {
		g.visit(name)
	}
	for i := range p.program.Kernels {
		k := &p.program.Kernels[i]
		name, arguments := k.Func, ""
		if at := strings.IndexByte(k.Func, '<'); at >= 0 {
			name, arguments = k.Func[:at], k.Func[at:]
		}
		indexes := maps.Clone(g.visit(name))
		for _, word := range identifiers(arguments) {
			maps.Copy(indexes, g.visit(word))
		}
		k.SIMD = indexes[lanesTogether]
		delete(indexes, lanesTogether)
		k.Constants = slices.Sorted(maps.Keys(indexes))
	}
}

type calls struct {
	p         *parser
	constants map[string]int
	reached   map[string]map[int]bool // by function or struct
	open      map[string]bool
}

// lanesTogether stands among the indexes of constants for the use of a function or
// type of simdgroups.
const lanesTogether = -1

func isOfSIMD(word string) bool {
	_, position := positions[word] // every GPU has those
	return strings.HasPrefix(word, "simd_") || strings.HasPrefix(word, "simdgroup_") && !position
}

// visit returns the constants that a function, or any function of a struct, reaches.
func (g *calls) visit(name string) map[int]bool {
	if done, ok := g.reached[name]; ok {
		return done
	}
	found := map[int]bool{}
	g.open[name] = true
	for _, method := range g.p.methods[name] {
		if !g.open[method] {
			maps.Copy(found, g.visit(method))
		}
	}
	for _, f := range g.p.functions[name] {
		for i := f.from; i < f.bodyTo; i++ {
			if !g.p.isIdentifier(i) {
				continue
			}
			word := g.p.str(i)
			if index, ok := g.constants[word]; ok {
				found[index] = true
			}
			if isOfSIMD(word) {
				found[lanesTogether] = true
			}
			called, calls := g.called(f, i)
			switch {
			case called == "":
			case !g.open[called]:
				maps.Copy(found, g.visit(called))
			case calls:
				g.p.fail(g.p.tokens[i].start, "%s calls itself, or another function of its name: Metal has no recursion", word)
			}
		}
	}
	delete(g.open, name)
	g.reached[name] = found
	return found
}

// called returns the function, or the struct, that the word at token i of f
// names, and whether the word certainly calls it.
func (g *calls) called(f function, i int) (name string, calls bool) {
	p, word := g.p, g.p.str(i)
	calls = p.is(i+1, "(") || p.is(i+1, "<") && p.calledTemplate(i+1)
	switch {
	case p.is(i-1, ".") || p.is(i-1, "->"):
		return "", false // a member, whose type is named where the value was declared
	case p.is(i-1, "::"):
		word = p.str(i-2) + "::" + word
	case f.owner != "" && p.functions[f.owner+"::"+word] != nil:
		word = f.owner + "::" + word
	case p.methods[word] != nil:
		return word, false
	}
	if p.functions[word] == nil || !calls && !p.is(i-1, "<") && !p.is(i-1, ",") {
		return "", false
	}
	return word, calls
}

// calledTemplate reports whether f<int>( is a call and no comparison.
func (p *parser) calledTemplate(i int) bool {
	for j := i; j < len(p.tokens); j++ {
		switch p.str(j) {
		case ">":
			return p.is(j+1, "(")
		case ";", "(", ")", "{", "}":
			return false
		}
	}
	return false
}

func identifiers(s string) []string {
	var words []string
	for i := 0; i < len(s); i++ {
		start := i
		for i < len(s) && (isLetter(s[i]) || isDigit(s[i])) {
			i++
		}
		if i > start {
			words = append(words, s[start:i])
		}
	}
	return words
}
