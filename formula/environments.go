package formula

import "strings"

// maxCells bounds the cells of one array.
const maxCells = 2000

// environment parses \begin{…} … \end{…}, whose \begin was taken.
func (p *parser) environment() Node {
	name, ok := p.raw()
	if !ok {
		p.fail(`\begin has no name`)
		return nil
	}
	array, ok := arrayOf(strings.TrimSuffix(strings.TrimSpace(name), "*"))
	if !ok {
		p.fail("the environment %s is not known", name)
		return nil
	}
	switch strings.TrimSuffix(name, "*") {
	case "array", "darray":
		p.option()
		columns, ok := p.raw()
		if !ok {
			p.fail("an array does not say its columns")
			return nil
		}
		array.Align, array.Bars = columnsOf(columns)
	case "alignat", "alignedat", "subarray":
		p.raw()
	default:
		before := p.at
		if align, ok := p.option(); ok && align != "" && strings.Trim(align, "lcrt b") == "" {
			if strings.HasSuffix(name, "*") {
				array.Align = align
			}
		} else {
			p.at = before
		}
	}
	p.cells(&array)
	if p.err != nil {
		return nil
	}
	if t := p.next(); t.kind != commandToken || t.name != "end" {
		p.fail(`\begin{%s} has no \end`, name)
		return nil
	}
	if end, _ := p.raw(); end != name {
		p.fail(`\begin{%s} ends with \end{%s}`, name, end)
		return nil
	}
	return array
}

// arrayOf is the array of an environment.
func arrayOf(name string) (Array, bool) {
	a := Array{Align: "c", Style: TextStyle}
	switch name {
	case "matrix", "array":
	case "darray":
		a.Style = DisplayStyle
	case "pmatrix":
		a.Left, a.Right = '(', ')'
	case "bmatrix":
		a.Left, a.Right = '[', ']'
	case "Bmatrix":
		a.Left, a.Right = '{', '}'
	case "vmatrix":
		a.Left, a.Right = '|', '|'
	case "Vmatrix":
		a.Left, a.Right = '‖', '‖'
	case "smallmatrix":
		a.Kind, a.Style = Small, ScriptStyle
	case "cases":
		a.Kind, a.Align, a.Left = Cases, "l", '{'
	case "dcases":
		a.Kind, a.Align, a.Left, a.Style = Cases, "l", '{', DisplayStyle
	case "rcases", "drcases":
		a.Kind, a.Align, a.Right = Cases, "l", '}'
	case "aligned", "align", "alignat", "alignedat", "split", "eqnarray", "flalign":
		a.Kind, a.Align, a.Style = Aligned, "rl", DisplayStyle
		if name == "eqnarray" {
			a.Kind, a.Align = Matrix, "rcl"
		}
	case "gathered", "gather", "equation", "multline", "multlined", "displaymath", "math":
		a.Kind, a.Style = Gathered, DisplayStyle
	case "subarray":
		a.Kind, a.Style = Stacked, ScriptStyle
	default:
		return Array{}, false
	}
	return a, true
}

// columnsOf reads the columns of an array: letters, and bars between them.
func columnsOf(spec string) (align string, bars []int) {
	var b strings.Builder
	depth := 0
	for _, r := range spec {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case depth > 0:
		case r == 'l' || r == 'c' || r == 'r':
			b.WriteRune(r)
		case r == '|':
			bars = append(bars, b.Len())
		}
	}
	if b.Len() == 0 {
		return "c", bars
	}
	return b.String(), bars
}

// cells parses the cells of an array, up to what ends it.
func (p *parser) cells(a *Array) {
	var row []Row
	count := 0
	for p.err == nil {
		p.lines(a)
		cell, _ := p.row()
		if cell == nil {
			cell = Row{}
		}
		row = append(row, cell)
		if count++; count > maxCells {
			p.fail("the formula has more than %d cells", maxCells)
		}
		switch p.peek().kind {
		case alignToken:
			p.next()
		case lineToken:
			p.next()
			p.star()
			p.gap()
			a.Rows, row = append(a.Rows, row), nil
		default:
			if len(row) > 1 || len(row[0]) > 0 { // nothing after the last line
				a.Rows = append(a.Rows, row)
			}
			return
		}
	}
}

// gap takes the room after a line, such as [4pt]; a formula in brackets is none.
func (p *parser) gap() {
	before := p.at
	if room, ok := p.option(); ok && length(room) == 0 && !strings.HasPrefix(strings.TrimSpace(room), "0") {
		p.at = before
	}
}

// lines takes the lines above a row.
func (p *parser) lines(a *Array) {
	for {
		t := p.peek()
		if t.kind != commandToken || t.name != "hline" && t.name != "hdashline" && t.name != "toprule" && t.name != "midrule" && t.name != "bottomrule" {
			return
		}
		p.next()
		a.Lines = append(a.Lines, len(a.Rows))
	}
}

// substack parses lines of small text.
func (p *parser) substack() Node {
	if p.peek().kind != openToken {
		return p.argument()
	}
	p.next()
	a := Array{Kind: Stacked, Style: ScriptStyle, Align: "c"}
	p.cells(&a)
	if p.err == nil && p.next().kind != closeToken {
		p.fail("a brace is not closed")
	}
	return a
}
