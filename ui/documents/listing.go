package documents

import (
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/ui/kit"
)

// shownOfFile is how many passages of a file are listed at least until a person asks for the
// others, and more where the list has room for them; a single further one is listed too.
const shownOfFile = 2

// entry is a row of the list: the name of a file, one of its passages, how many more it has, or at the end that more
// passages can be shown.
type entry struct {
	hit  int    // of found; -1: none
	file int    // of a row that names a file: the first of its passages, of found
	all  int    // and how many it has; 0: the row names none
	more int    // passages of the file that are not listed
	path string // of the file
	next bool   // more passages can be shown
}

// lowHeight is the height of a row that is no passage.
const lowHeight float32 = 34

// arrange makes the rows of what was found. Those of the files in opened are all there, and the
// passage that is picked is.
func (r *results) arrange() {
	r.ofFile = r.fitting()
	r.entries = nil
	for from := 0; from < len(r.found); {
		path := r.found[from].file.File.Path
		to := from + 1
		for to < len(r.found) && !r.found[to].first {
			to++
		}
		shown := to
		hides := to-from > r.ofFile+1 && !r.unfolded[path]
		if hides && (r.picked < from+r.ofFile || r.picked >= to) {
			shown = from + r.ofFile
		}
		r.entries = append(r.entries, entry{hit: -1, file: from, all: to - from, path: path})
		for i := from; i < shown && !r.listed; i++ {
			r.entries = append(r.entries, entry{hit: i, path: path})
		}
		if shown < to {
			r.entries = append(r.entries, entry{hit: -1, more: to - shown, path: path})
		}
		from = to
	}
	if r.hasMore() {
		r.entries = append(r.entries, entry{hit: -1, next: true})
	}
}

// fitting is how many passages of each file the list has room for, without scrolling.
func (r *results) fitting() int {
	var sizes []int // the passages of each file
	for _, h := range r.found {
		if h.first {
			sizes = append(sizes, 0)
		}
		sizes[len(sizes)-1]++
	}
	need := func(of int) (height float32) {
		for _, n := range sizes {
			height += lowHeight
			if n > of+1 {
				n, height = of, height+lowHeight
			}
			height += float32(n) * r.rows.Height
		}
		return height
	}
	of := shownOfFile
	for of < len(r.found) && need(of+1) <= r.height {
		of++
	}
	return of
}

// fit follows the height of the list.
func (r *results) fit(height float32) {
	if r.height = height; r.fitting() == r.ofFile {
		return
	}
	marked := r.at(r.rows.Current).hit
	r.arrange()
	r.rows.Current = r.rowOf(marked)
	r.rows.Refresh()
}

// rowOf is the row of a passage; -1: it is not listed.
func (r *results) rowOf(hit int) int {
	if hit < 0 {
		return -1
	}
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.hit == hit })
}

// at is row i; one that the list does not have shows nothing.
func (r *results) at(i int) entry {
	if i < 0 || i >= len(r.entries) {
		return entry{hit: -1}
	}
	return r.entries[i]
}

// isMore reports whether row i says how many more there are.
func (r *results) isMore(i int) bool { return r.at(i).more > 0 }

// isFile reports whether row i names a file.
func (r *results) isFile(i int) bool { return r.at(i).all > 0 }

// isLow reports whether row i is no passage.
func (r *results) isLow(i int) bool { return r.isMore(i) || r.isFile(i) || r.isNext(i) }

// isNext reports whether row i shows more passages.
func (r *results) isNext(i int) bool { return r.at(i).next }

// openFile lists all passages of the file of row i. What was picked stays.
func (r *results) openFile(i int) {
	r.unfolded[r.entries[i].path] = true
	r.unfoldedAt = time.Now()
	r.arrange()
	r.rows.Current = r.rowOf(r.picked)
	r.rows.Refresh()
}

// click opens a passage, or lists the others of a file. The name of a file stands for the first of its passages, which
// has no row of its own where a whole document was opened.
func (r *results) click(i int) {
	switch {
	case i < 0 || i >= len(r.entries):
	case r.isNext(i):
		r.showMore()
	case r.isMore(i):
		r.openFile(i)
	default:
		hit := max(r.entries[i].hit, r.entries[i].file)
		r.rows.Choose(r.rowOf(hit))
		r.pick(hit)
	}
}

// enterRow reads the passage of row i in its document, or lists the others of a file. The second
// click of two that listed them means no passage.
func (r *results) enterRow(i int) {
	switch hit := r.at(i).hit; {
	case r.isNext(i):
		r.showMore()
	case r.isMore(i):
		r.openFile(i)
		r.rows.Pick(i)
	case hit < 0: // the name of a file
	case time.Since(r.unfoldedAt) < kit.DoubleClick:
	default:
		if r.picked != hit {
			r.pick(hit)
		}
		r.read()
	}
}

// moreText says how many more passages a file has.
func moreText(n int) string { return humanize.Comma(int64(n)) + " more in this file" }

// nextText offers more passages.
const nextText = "Show more passages"
