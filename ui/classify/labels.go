package classify

import (
	"strings"

	"inglenook/ui/kit"
)

// The heights below which the left side leaves out what is seldom changed, and below which the labels
// are in a single line.
const (
	lowWork    float32 = 500
	lowestWork float32 = 400
)

// mostLabelLines is how many lines of labels are in view at most; more are scrolled. Each beyond the second
// needs that much more height.
const (
	mostLabelLines         = 6
	labelLineOf    float32 = 35
	manyLabels             = 2000 // bytes that are more than those lines
)

// setLabelLines shows as many lines of labels as there are, where there is room; true: there are more
// or fewer than before.
func (p *Page) setLabelLines() bool {
	lines := 1
	if p.height >= lowestWork {
		room := 2 + int(max(0, p.height-lowWork)/labelLineOf)
		lines = max(2, min(linesIn(p.labels.Text, p.labels.Size().Width-4*kit.GapSmall), room, mostLabelLines))
	}
	if p.lines == lines || !p.labels.MultiLine {
		return false
	}
	p.lines = lines
	p.labels.SetMinRowsVisible(lines)
	return true
}

// linesIn is how many lines a text takes in that width: mostLabelLines and more are the same.
func linesIn(text string, width float32) (n int) {
	if len(text) > manyLabels {
		return mostLabelLines
	}
	for part := range strings.SplitSeq(text, "\n") {
		for n++; n < mostLabelLines && part != "" && natural(part) > width; n++ {
			first, rest := inTwo(part, width)
			if part = rest; rest == "" { // a word that is too long
				n += int(natural(first) / max(width, 1))
			}
		}
		if n >= mostLabelLines {
			return mostLabelLines
		}
	}
	return n
}
