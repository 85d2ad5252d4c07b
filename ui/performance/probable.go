package performance

import (
	"fmt"

	"inglenook/app/measure"
)

// judgement is what measured rows say of one kind of work: which way is the fastest, and how sure that
// is. Every page takes it from here, so that no two of them say different things of the same model.
type judgement struct {
	deed
	best, second measure.Row // the fastest ways; the zero value: there is none
	alike        bool        // all ways are about equally fast
	why          string      // the speeds may be wrong; "": they may not
	busy         bool        // that is because of other programs
	when         string      // the best one was the fastest, which makes it probable although they may be wrong; "": it is not
	against      int         // how many earlier measurements found another way faster
}

// judge judges rows; earlier are measurements of the same model, which may have found the same.
func (d deed) judge(rows []measure.Row, earlier []measure.Result) judgement {
	j := judgement{deed: d}
	j.best, j.second = d.leaders(rows)
	if j.why, j.busy = doubt(rows, d.work); j.why != "" {
		j.when = d.wins(j.best, j.second, earlier)
		same, of := d.agreeing(j.best, earlier)
		j.against = of - same
	}
	j.alike = j.why == "" && d.speed(j.second) > 0
	for _, r := range rows {
		if v := d.speed(r); v > 0 && !r.Emulated && !r.Server && v*noticeable <= d.speed(j.best) {
			j.alike = false
		}
	}
	return j
}

// sure reports whether the speeds are reliable.
func (j judgement) sure() bool { return j.why == "" }

// open reports whether nobody can tell which of several ways is the fastest.
func (j judgement) open() bool { return !j.sure() && j.when == "" && j.speed(j.second) > 0 }

// clearly is how many times as fast the fastest way has to be so that nobody would call that no difference.
const clearly = 1.5

// leans reports whether the fastest way was clearly faster, though neither its repetitions nor earlier
// measurements make that probable.
func (j judgement) leans() bool { return j.open() && j.farApart() && j.against == 0 }

func (j judgement) farApart() bool { return j.speed(j.best) >= clearly*j.speed(j.second) }

// way says in a few words which way is the fastest, and how sure that is.
func (j judgement) way() string {
	switch name := barName(j.best); {
	case j.alike:
		return "all ways about equally fast"
	case j.leans():
		return "perhaps " + name
	case j.open():
		return "no clear winner"
	case j.sure():
		return name
	default:
		return "probably " + name
	}
}

// words are what can be said of speeds that are not reliable: a verdict, and how far to trust it.
func (j judgement) words() (verdict, warning string) {
	advice := "Measure again while the computer has nothing else to do, to be sure."
	cause := j.why + " from run to run"
	if j.busy {
		cause, advice = j.why, "Close those programs and measure again, to be sure."
	}
	speed := fmt.Sprintf("about %s %s a second", pace(j.speed(j.best)), j.counts)
	switch {
	case j.speed(j.best) == 0:
		return "Not reliable", capitalized(cause) + ". " + advice
	case j.speed(j.second) == 0:
		return "Probably " + speed, "It can be another speed: " + cause + ". " + advice
	case !j.open():
		return "Probably " + barName(j.best) + ": " + speed, "It was the fastest " + j.when + ", though " + cause + ". " + advice
	}
	ahead := fmt.Sprintf("was %s as %s this time", timesAs(j.speed(j.best)/j.speed(j.second)), barName(j.second))
	switch {
	case j.leans():
		return "Perhaps " + barName(j.best) + ": " + speed, "It " + ahead + ", but " + cause + ". " + advice
	case j.farApart():
		return "No clear winner: " + speed, fmt.Sprintf("%s %s, but another measurement found it slower, and %s. %s", barName(j.best), ahead, cause, advice)
	}
	return "No clear winner: " + speed, fmt.Sprintf("%s and %s do not lie clearly apart, and %s. %s", barName(j.best), barName(j.second), cause, advice)
}

// wins says when the fastest way was the fastest, where that makes it probable; "": it is not.
func (d deed) wins(best, second measure.Row, earlier []measure.Result) string {
	same, of := d.agreeing(best, earlier)
	switch {
	case d.speed(second) == 0 || d.speed(best) < noticeable*d.speed(second):
	case d.apart(best, second):
		return "in every repetition"
	case of == 1 && same == of:
		return "both times"
	case of > 1 && same == of:
		return fmt.Sprintf("all %d times", of+1)
	}
	return ""
}

// leaders are the fastest way and the second one, those for testing and those with other results left
// out; the zero value: there is none.
func (d deed) leaders(rows []measure.Row) (best, second measure.Row) {
	for _, r := range rows {
		switch v := d.speed(r); {
		case v == 0 || r.Emulated || r.Judge() == measure.Different:
		case v > d.speed(best):
			best, second = r, best
		case v > d.speed(second):
			second = r
		}
	}
	return best, second
}

// apart reports whether each repetition of a row was faster than each of another.
func (d deed) apart(fast, slow measure.Row) bool {
	bounds := func(r measure.Row) (least, most float64) {
		m, _ := r.Measure(d.work)
		if least, most = m.Range(); most == 0 || m.Repeats < 2 { // once: nothing is known of how it varies
			return 0, 0
		}
		return least, most
	}
	least, _ := bounds(fast)
	_, most := bounds(slow)
	return most > 0 && least > most
}

// agreeing counts the earlier measurements that compared this way with others, and those of them in
// which it was the fastest, too.
func (d deed) agreeing(best measure.Row, earlier []measure.Result) (same, of int) {
	for _, result := range earlier {
		first, second := d.leaders(result.Rows)
		if d.speed(second) == 0 {
			continue
		}
		for _, r := range result.Rows {
			if r.Target == best.Target && d.speed(r) > 0 {
				of++
				if first.Target == best.Target {
					same++
				}
			}
		}
	}
	return same, of
}
