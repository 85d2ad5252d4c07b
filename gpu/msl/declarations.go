package msl

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// function is one function definition: its body and its parameters.
type function struct {
	name, owner       string // owner: the struct that it is in, if any
	token             int    // its name
	from, to          int    // tokens of the parameters, brackets excluded
	bodyFrom, bodyTo  int    // tokens of the body, braces excluded
	kernel, templated bool
}

// template is a kernel template with the properties that its instantiations
// share.
type template struct {
	params []Param
	token  int
	used   bool
}

// declarations walks the top level of the source.
func (p *parser) declarations() {
	p.items(0, len(p.tokens), p.declaration)
	for _, name := range slices.Sorted(maps.Keys(p.templates)) {
		if t := p.templates[name]; !t.used && !p.partial {
			p.fail(p.tokens[t.token].start, "kernel template %s is never instantiated: template [[host_name(\"...\")]] kernel decltype(%[1]s<...>) %[1]s<...>;", p.str(t.token))
		}
	}
	p.uniqueNames()
}

// items calls declare for everything between from and to that ends in a
// semicolon, and passes functions to p.function.
func (p *parser) items(from, to int, declare func(from, to int)) {
	for start := from; start < to; {
		end := start
		for end < to && !p.is(end, ";") && !p.is(end, "{") {
			if p.is(end, "(") || p.is(end, "[") {
				end = p.match[end]
			}
			end++
		}
		if end < to && p.is(end, "{") && p.isFunction(start, end) {
			p.function(start, end)
			start = p.match[end] + 1
			continue
		}
		for end < to && !p.is(end, ";") { // struct S { ... }; or int a[] = { ... };
			if p.is(end, "{") || p.is(end, "(") || p.is(end, "[") {
				end = p.match[end]
			}
			end++
		}
		if end >= to {
			p.fail(p.tokens[start].start, "a declaration without an end, or outside the dialect: %q", shorten(p.words(start, min(end, start+12))))
			return
		}
		if end > start {
			declare(start, end)
		}
		start = end + 1
	}
}

// isFunction reports whether a brace begins a function's body, not a struct or an
// array.
func (p *parser) isFunction(start, brace int) bool {
	return brace > start && (p.is(brace-1, ")") || p.is(brace-1, "const") && p.is(brace-2, ")"))
}

func (p *parser) function(start, brace int) {
	closing := brace - 1
	if p.is(closing, "const") {
		closing--
	}
	opening := p.match[closing]
	name := opening - 1
	if opening <= start || !p.isIdentifier(name) {
		p.fail(p.tokens[start].start, "a function without a name")
		return
	}
	f := function{
		name: p.str(name), token: name,
		from: opening + 1, to: closing,
		bodyFrom: brace + 1, bodyTo: p.match[brace],
		templated: p.is(start, "template"),
	}
	for i := start; i < name; i++ {
		f.kernel = f.kernel || p.is(i, "kernel")
	}
	f.owner = p.owner
	key := f.name
	if f.owner != "" {
		key = f.owner + "::" + f.name
		p.methods[f.owner] = append(p.methods[f.owner], key)
	}
	p.functions[key] = append(p.functions[key], f)
	if f.kernel {
		p.kernel(f)
		return
	}
	for i := start; i < f.bodyTo; i++ {
		p.noAttribute(i)
	}
}

// declaration parses a declaration at the top level, up to its semicolon.
func (p *parser) declaration(from, to int) {
	switch {
	case p.is(from, "template") && p.attribute(from+1) != "":
		p.instantiation(from, to)
	case p.is(from, "struct"), p.is(from, "template") && p.is(to-1, "}"):
		p.structure(from, to)
	case p.is(from, "constant") && p.is(to-1, "]") && p.is(to-2, "]"):
		p.functionConstant(from, to)
	default:
		for i := from; i < to; i++ {
			p.noAttribute(i)
		}
		p.fileScope(from, to)
	}
}

// attribute returns the name of the attribute whose first bracket is token i,
// or "".
func (p *parser) attribute(i int) string {
	if p.is(i, "[") && p.is(i+1, "[") && p.tokens[i].end == p.tokens[i+1].start && p.match[i] == p.match[i+1]+1 && p.isIdentifier(i+2) {
		return p.str(i + 2)
	}
	return ""
}

// argument returns the argument of an attribute: [[name(argument)]].
func (p *parser) argument(i int) string {
	if p.is(i+3, "(") && p.match[i+3] == i+5 && p.match[i+1] == i+6 {
		return p.str(i + 4)
	}
	return ""
}

// index returns an attribute's argument if it is a plain number up to limit, or
// -1.
func (p *parser) index(i, limit int) int {
	n, err := strconv.ParseUint(p.argument(i), 10, 16)
	if err != nil || int(n) > limit {
		return -1
	}
	return int(n)
}

// take marks the attribute at token i to be replaced by blanks.
func (p *parser) take(i int) {
	p.program.blank = append(p.program.blank, span{p.tokens[i].start, p.tokens[p.match[i]].end})
}

func (p *parser) noAttribute(i int) {
	if name := p.attribute(i); name != "" {
		p.fail(p.tokens[i].start, "[[%s]] is outside the dialect here", name)
	}
}

// instantiation parses template [[host_name("x")]] kernel type f<arguments>;
func (p *parser) instantiation(from, to int) {
	at := from + 1
	host := p.argument(at)
	after := p.match[at] + 1
	if p.attribute(at) != "host_name" || len(host) < 3 || host[0] != '"' || !p.is(after, "kernel") || !p.is(to-1, ">") {
		p.fail(p.tokens[from].start, "an instantiation reads: template [[host_name(\"name\")]] kernel decltype(f<...>) f<...>;")
		return
	}
	open := p.openingAngle(to - 1)
	if open < after || !p.isIdentifier(open-1) {
		p.fail(p.tokens[from].start, "an instantiation without a function's name and arguments")
		return
	}
	name := p.str(open - 1)
	t := p.templates[name]
	if t == nil {
		p.fail(p.tokens[open-1].start, "%s is no kernel template that was defined before", name)
		return
	}
	t.used = true
	p.take(at)
	p.program.instantiations = append(p.program.instantiations, span{p.tokens[from].start, p.tokens[to].end})
	expression := p.source[p.tokens[open-1].start:p.tokens[to-1].end]
	p.addKernel(Kernel{Name: strings.Trim(host, `"`), Func: strings.Join(strings.Fields(expression), " "), Params: t.params}, from)
}

// openingAngle returns the token < that matches the > at token i, or -1.
func (p *parser) openingAngle(i int) int {
	for depth := 0; i >= 0; i-- {
		switch {
		case p.is(i, ">"):
			depth++
		case p.is(i, "<"):
			if depth--; depth == 0 {
				return i
			}
		case p.is(i, ")"), p.is(i, "]"):
			i = p.match[i]
		case p.is(i, ";"), p.is(i, "{"), p.is(i, "("):
			return -1
		}
	}
	return -1
}

func (p *parser) addKernel(k Kernel, token int) {
	if k.Name == "" || !identifierOnly(k.Name) {
		p.fail(p.tokens[token].start, "%q is no name for a kernel", k.Name)
	}
	k.File, k.Line = p.position(p.tokens[token].start)
	p.program.Kernels = append(p.program.Kernels, k)
}

// functionConstant parses constant int NAME [[function_constant(n)]];
func (p *parser) functionConstant(from, to int) {
	at := from + 3
	n := -1
	if p.is(from+1, "int") && p.isIdentifier(from+2) && p.attribute(at) == "function_constant" && p.match[at] == to-1 {
		n = p.index(at, 65535)
	}
	if n < 0 {
		p.fail(p.tokens[from].start, "a function constant reads: constant int NAME [[function_constant(number)]];")
		return
	}
	p.take(at)
	p.program.constants = append(p.program.constants, span{p.tokens[from].start, p.tokens[to].end})
	p.program.Constants = append(p.program.Constants, Constant{p.str(from + 2), n})
}

// structure parses struct NAME { fields and functions }; and templates of
// structs. Templates are types for helpers, which a host cannot fill in.
func (p *parser) structure(from, to int) {
	brace := p.match[max(to-1, 0)]
	name := from
	for name < brace && !p.is(name, "struct") {
		name++
	}
	name++
	templated := name > from+1
	if !p.is(to-1, "}") || !p.is(brace, "{") || !p.isIdentifier(name) || !templated && brace != name+1 {
		p.fail(p.tokens[from].start, "a struct reads: struct Name { type field; ... };")
		return
	}
	s := Struct{Name: p.str(name)}
	if !templated {
		p.structs[s.Name] = true
	}
	outer := p.owner
	p.owner = s.Name
	defer func() { p.owner = outer }()
	p.items(brace+1, to-1, func(from, to int) {
		for i := from; i < to; i++ {
			p.noAttribute(i)
			if p.is(i, "=") || p.is(i, "using") || p.is(i, "typedef") || p.is(i, "static") {
				return // a constant or a type of the struct, not data
			}
		}
		s.Fields = append(s.Fields, p.fields(from, to)...)
	})
	if !templated {
		p.program.Structs = append(p.program.Structs, s)
	}
}

// fields parses int a, b[4]
func (p *parser) fields(from, to int) []Field {
	var fields []Field
	kind := ""
	for start := from; start < to; {
		end := start
		for end < to && !p.is(end, ",") {
			if p.is(end, "[") || p.is(end, "(") {
				end = p.match[end]
			}
			end++
		}
		f := Field{Type: kind}
		last := min(end, to) - 1
		if p.is(last, "]") {
			f.Array = p.words(p.match[last]+1, last)
			last = p.match[last] - 1
		}
		if last < start || !p.isIdentifier(last) || kind == "" && last == start {
			p.fail(p.tokens[start].start, "a field reads: type name;")
			return nil
		}
		f.Name = p.str(last)
		if kind == "" {
			kind = p.words(from, last)
			f.Type = kind
		}
		fields = append(fields, f)
		start = end + 1
	}
	return fields
}

// fileScope rejects variables that Metal does not allow outside of functions.
func (p *parser) fileScope(from, to int) {
	switch p.str(from) {
	case "using", "typedef", "static_assert", "template", "enum":
		return
	}
	for i := from; i < to; i++ {
		if p.is(i, "constant") || p.is(i, "(") {
			return // allowed there, or a function's declaration
		}
	}
	p.fail(p.tokens[from].start, "a variable outside of functions has to be constant: %q", shorten(p.words(from, to)))
}

// uniqueNames rejects names that the host or a compiler could not tell apart.
func (p *parser) uniqueNames() {
	kernels := map[string]bool{}
	for _, k := range p.program.Kernels {
		if kernels[k.Name] {
			p.errs = append(p.errs, &Error{k.File, k.Line, "a second kernel with the name " + k.Name})
		}
		kernels[k.Name] = true
	}
	for i, c := range p.program.Constants {
		if slices.ContainsFunc(p.program.Constants[:i], func(d Constant) bool { return c.Name == d.Name || c.Index == d.Index }) {
			p.fail(p.program.constants[i].start, "function constant %s shares its name or its index %d with another", c.Name, c.Index)
		}
	}
	if len(p.structs) < len(p.program.Structs) {
		seen := map[string]bool{}
		for _, s := range p.program.Structs {
			if seen[s.Name] {
				p.fail(len(p.source), "two structs have the name %s", s.Name)
			}
			seen[s.Name] = true
		}
	}
}

func identifierOnly(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) && (i == 0 || !isDigit(s[i])) {
			return false
		}
	}
	return s != ""
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
