package classify

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// known are labels that a table brings along for its texts: a person's own from elsewhere, or those of a result that was
// saved as a table and comes back.
type known struct {
	file, column string
	labels       []string       // the different ones
	of           map[int]string // by the id of the text
	hand         bool           // only those that a person gave by hand before are in of
}

// What makes a column one of labels.
const (
	mostKnown  = 40 // different labels
	eachKnown  = 2  // texts that a label has on average, at the least
	longKnown  = 40 // bytes of a label
	fewestRows = 4  // texts with a label
)

// labelColumns are names of columns that are labels, also where few of them are the same.
var labelColumns = []string{"label", "labels", "category", "class", "topic", "tag", "theme", "sentiment", "kategorie", "klasse", "thema", "catégorie", "categoría"}

// knownLabels are those that the table on the list brings along; nil: it has none, or there is no table.
func (p *Page) knownLabels() *known {
	var sheet *texts.Sheet
	from, ids := p.texts.Origins(), p.texts.IDs()
	for _, o := range from {
		if o.Sheet == nil || sheet != nil && o.Sheet != sheet {
			return nil
		}
		sheet = o.Sheet
	}
	if sheet == nil {
		return nil
	}
	best := (*known)(nil)
	for c, name := range sheet.Names {
		k := knownIn(sheet, from, ids, c)
		named := slices.Contains(labelColumns, strings.ToLower(strings.TrimSpace(name)))
		if k == nil || !named && eachKnown*len(k.labels) > len(k.of) {
			continue
		}
		if named {
			return k
		}
		if best == nil {
			best = k
		}
	}
	return best
}

// knownIn are the labels in column c; nil: it has no labels.
func knownIn(sheet *texts.Sheet, from []texts.Origin, ids []int, c int) *known {
	k := &known{file: filepath.Base(from[0].File), column: sheet.Names[c], of: map[int]string{}}
	by := -1 // the column that says who gave a label, as in a table that was saved here
	if c+1 < len(sheet.Names) && sheet.Names[c+1] == texts.ByWhom {
		by = c + 1
	}
	cellOf := func(row, column int) string {
		if column < 0 || row >= len(sheet.Rows) || column >= len(sheet.Rows[row]) {
			return ""
		}
		return strings.TrimSpace(sheet.Rows[row][column])
	}
	hand := map[int]string{}
	for i, o := range from {
		name := cellOf(o.Row, c)
		switch {
		case o.At == c:
			return nil
		case name == "":
			continue
		case len(name) > longKnown || strings.ContainsAny(name, ",;\n") || strings.Trim(name, "0123456789.,-/:% ") == "":
			return nil
		}
		if !has(k.labels, name) {
			if len(k.labels) == mostKnown {
				return nil
			}
			k.labels = append(k.labels, name)
		}
		k.of[ids[i]] = name
		if cellOf(o.Row, by) == texts.ByHand {
			hand[ids[i]] = name
		}
	}
	if k.hand = len(hand) > 0; k.hand {
		k.of = hand
	} else if len(k.of) < fewestRows {
		return nil
	}
	if len(k.labels) < 2 {
		return nil
	}
	return k
}

// offerKnown offers the labels that a table brings along, once for each table.
func (p *Page) offerKnown() {
	path, _ := p.list.Table()
	if m, ok := p.picker.Model(); path == p.offered || ok && HasItsOwn(m) {
		return
	}
	if p.offered = path; p.offering {
		p.notice.Hide()
	}
	p.offering = false
	k := p.knownLabels()
	if path == "" || k == nil {
		return
	}
	p.offering = true
	says := fmt.Sprintf("The column “%s” of %s says what %s are.", kit.Brief(k.column), kit.Brief(k.file), kit.Count(len(k.of), "text"))
	if k.hand {
		says = fmt.Sprintf("%s brings %s along that you gave by hand.", kit.Brief(k.file), kit.Count(len(k.of), "label"))
	}
	p.notice.Say(says, "Use its labels", func() { p.useKnown(k) })
	p.notice.Closes(func() {
		p.offering = false
		p.refresh()
	})
}

// useKnown takes the labels of a table for the list of labels, and sorts the texts by them, to compare that with what the
// table says.
func (p *Page) useKnown(k *known) {
	p.notice.Hide()
	p.known, p.offering = k, false
	p.labels.change(relabelling{now: slices.Clone(k.labels), what: fmt.Sprintf("Labels of the column “%s” taken", kit.Brief(k.column)), plain: true})
	p.refresh()
	p.Start()
}

// compareKnown says how many texts have the label that their table gives them, and offers to take those of the table:
// the other texts can learn from them then. Labels that a person gave by hand before are theirs again.
func (p *Page) compareKnown() {
	k, out := p.known, p.found
	p.known = nil
	if k == nil || !out.mayGive() {
		return
	}
	some, right := []int(nil), 0
	for i, id := range out.asked.ids {
		if name, there := k.of[id]; there {
			some = append(some, i)
			if strings.EqualFold(out.labelOf(i), name) {
				right++
			}
		}
	}
	if len(some) == 0 {
		return
	}
	take := func() {
		p.notice.Hide()
		if p.found == out {
			p.takeKnown(k, some)
		}
	}
	if k.hand {
		take()
		return
	}
	p.notice.Say(fmt.Sprintf("The model gives %d of %s the label that the column “%s” has.", right, kit.Count(len(some), "text"), kit.Brief(k.column)), "Take those of the column", take)
	p.notice.Closes(p.refresh)
}

// takeKnown gives texts the labels of their table as if by hand. One Undo takes all of them back.
func (p *Page) takeKnown(k *known, some []int) {
	out := p.found
	names := out.LabelNames()
	var taken []int
	var was []string
	for _, i := range some {
		name := k.of[out.asked.ids[i]]
		at := slices.IndexFunc(names, func(one string) bool { return strings.EqualFold(one, name) })
		if at < 0 || out.own[i] == names[at] {
			continue
		}
		taken, was = append(taken, i), append(was, out.own[i])
		out.take(i, names[at])
	}
	if len(taken) == 0 {
		return
	}
	p.results.showGiven()
	p.rememberGiven(kit.Count(len(taken), "label")+" of the table taken", taken, was)
}
