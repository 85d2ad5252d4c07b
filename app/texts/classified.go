package texts

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
)

// WriteCSV writes one row a text: its number, the text, and what was found in it. Of labels that is the
// label that it has, who gave it that, what is to be said of it, and the value of each label in a column of its own; own
// has the labels that a person gave texts by hand. Of entities it is a column for each kind of them, and
// of gaps one for the best word of each, its probability and the other words.
func (r ClassifyResult) WriteCSV(w io.Writer, lines []string, own map[int]string) error {
	out := csv.NewWriter(w)
	head, row := r.columns(lines, own)
	out.Write(append([]string{"number", "text"}, head...))
	for i, line := range lines {
		out.Write(append([]string{r.number(i), cell(line)}, row(i)...))
	}
	out.Flush()
	return out.Error() // the first of all
}

// number is that of text i as it is exported: its place on the list.
func (r ClassifyResult) number(i int) string {
	if i < len(r.Numbers) {
		return strconv.Itoa(r.Numbers[i])
	}
	return strconv.Itoa(i + 1)
}

// WriteSheet writes the table that the texts came from, with all of its own columns and in its own order, and beside
// them the place of the text on the list, the number of the row in the file, and what [ClassifyResult.WriteCSV] writes of its text; all: also the rows without a
// text, or whose text is not among these. Texts from elsewhere follow. Where the texts came from no table, or from
// several, it is WriteCSV.
func (r ClassifyResult) WriteSheet(w io.Writer, lines []string, own map[int]string, from []Origin, all bool) error {
	sheet := sheetOf(from)
	if sheet == nil {
		return r.WriteCSV(w, lines, own)
	}
	out := csv.NewWriter(w)
	head, row := r.columns(lines, own)
	out.Write(apart(sheet.Names, append([]string{"number", "row"}, head...)))
	of, column := map[int]int{}, 0
	var others []int
	for i := range lines {
		_, twice := of[from[i].Row]
		if from[i].Sheet == nil || twice {
			others = append(others, i)
			continue
		}
		of[from[i].Row], column = i, from[i].At
	}
	put := func(line []string, number, row string, found []string) {
		if column < len(line) {
			line[column] = cell(line[column])
		}
		line = append(line, make([]string, max(0, len(sheet.Names)-len(line)))...)
		out.Write(slices.Concat(line, []string{number, row}, found))
	}
	for n, line := range sheet.Rows {
		at := strconv.Itoa(n + sheet.First)
		if i, there := of[n]; there {
			line = slices.Clone(line)
			if column < len(line) && !sameWords(line[column], lines[i]) { // edited since the file was read
				line[column] = lines[i]
			}
			put(line, r.number(i), at, row(i))
		} else if all {
			put(slices.Clone(line), "", at, make([]string, len(head)))
		}
	}
	for _, i := range others {
		line := make([]string, len(sheet.Names))
		line[column] = lines[i]
		put(line, r.number(i), "", row(i))
	}
	out.Flush()
	return out.Error() // the first of all
}

// sameWords reports whether two texts differ in white space at most, as a text of a list and its cell may.
func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// apart appends names of more columns, each unlike those before it.
func apart(names, more []string) []string {
	all := slices.Clone(names)
	for _, name := range more {
		one := name
		for n := 2; slices.Contains(all, one); n++ {
			one = name + " " + strconv.Itoa(n)
		}
		all = append(all, one)
	}
	return all
}

// columns are those after the text: their names, and what text i has in them.
func (r ClassifyResult) columns(lines []string, own map[int]string) (head []string, row func(i int) []string) {
	switch {
	case r.Entities != nil:
		return r.entityColumns(lines)
	case r.Words != nil:
		return r.gapColumns()
	}
	return r.labelColumns(own)
}

// What a table says of a label.
const (
	ByWhom = "by whom" // name of the column that says who gave it
	ByHand = "by hand" // a person
)

// remarks say of a label how far it can be trusted.
var remarks = map[Verdict]string{Close: "unsure", Improbable: "unsure", Outside: "no label fits"}

func (r ClassifyResult) labelColumns(own map[int]string) (head []string, row func(i int) []string) {
	names, places := r.NamesInOrder(), map[string]int{}
	for i, name := range names {
		places[name] = i
	}
	return append([]string{"label", ByWhom, "remark"}, cells(names)...), func(i int) []string {
		label, by, remark := strings.Join(r.Of(i), "; "), "", remarks[r.Verdict(i)]
		if label != "" {
			by = "model"
		}
		if name, ok := own[i]; ok {
			label, by, remark = name, ByHand, ""
		}
		row := append([]string{cell(label), by, remark}, make([]string, len(names))...)
		for _, l := range r.Labels[i] {
			if at, ok := places[l.Name]; ok {
				row[3+at] = figure(l.Value)
			}
		}
		return row
	}
}

// LabelNames are all labels that there are, in the order of the first text.
func (r ClassifyResult) LabelNames() (names []string) {
	if len(r.Labels) == 0 {
		return nil
	}
	for _, l := range r.Labels[0] {
		names = append(names, l.Name)
	}
	return names
}

// NamesInOrder are the labels, in the order in which the person wrote them, or else in that of the alphabet.
func (r ClassifyResult) NamesInOrder() []string {
	all := slices.Sorted(slices.Values(r.LabelNames()))
	written := slices.DeleteFunc(slices.Clone(r.Names), func(name string) bool { return !slices.Contains(all, name) })
	return union(union(nil, written), all)
}

func (r ClassifyResult) entityColumns(lines []string) (head []string, row func(i int) []string) {
	for _, list := range r.Entities {
		for _, e := range list {
			head = union(head, []string{KindOfName(e.Label)})
		}
	}
	slices.Sort(head)
	return head, func(i int) []string {
		row := make([]string, len(head))
		for _, e := range r.Entities[i] {
			at, _ := slices.BinarySearch(head, KindOfName(e.Label))
			if row[at] != "" {
				row[at] += "; "
			}
			row[at] += lines[i][e.Start:e.End]
		}
		return cells(row)
	}
}

func (r ClassifyResult) gapColumns() (head []string, row func(i int) []string) {
	most := 0
	for _, gaps := range r.Words {
		most = max(most, len(gaps))
	}
	for k := range most {
		gap := "gap " + strconv.Itoa(k+1)
		head = append(head, gap, gap+" probability", gap+" others")
	}
	return head, func(i int) []string {
		row := make([]string, 0, 3*most)
		for _, words := range r.Words[i] {
			var others []string
			for _, w := range words[1:] {
				others = append(others, w.Name)
			}
			row = append(row, words[0].Name, figure(words[0].Value), strings.Join(others, "; "))
		}
		return append(row, make([]string, 3*most-len(row))...)
	}
}

func figure(v float32) string { return strconv.FormatFloat(float64(v), 'g', 7, 32) }

// kindsOfNames are in words what models that mark names call them: the codes of CoNLL-2003 and of
// OntoNotes 5, which nearly all such models are trained with.
var kindsOfNames = map[string]string{
	"PER": "Person", "PERSON": "Person", "LOC": "Place", "LOCATION": "Place", "ORG": "Organisation", "ORGANIZATION": "Organisation", "MISC": "Other name",
	"GPE": "Country or city", "NORP": "Nationality or group", "FAC": "Building or road", "PRODUCT": "Product", "EVENT": "Event", "WORK_OF_ART": "Work of art",
	"LAW": "Law", "LANGUAGE": "Language", "DATE": "Date", "TIME": "Time", "PERCENT": "Percentage", "MONEY": "Amount of money", "QUANTITY": "Quantity",
	"ORDINAL": "Ordinal number", "CARDINAL": "Number",
}

// KindOfName is in words what a model that marks names calls one; a code that is not known stays as it is.
func KindOfName(code string) string {
	const longest = 20 // of the codes above; what a stranger's model says can be of any length
	if len(code) > longest {
		return code
	}
	if word, ok := kindsOfNames[strings.ToUpper(code)]; ok {
		return word
	}
	return code
}
