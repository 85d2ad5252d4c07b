package performance

import (
	"fmt"

	"inglenook/app/measure"
)

// probable is what can be said of speeds that are not reliable: a verdict, and how far to trust it.
// earlier are measurements of the same model, which may have found the same.
func (g gist) probable(rows []measure.Row, earlier []measure.Result) (verdict, warning string) {
	why, busy := doubt(rows, g.work)
	advice := "Measure again while the computer has nothing else to do, to be sure."
	cause := why + " from run to run"
	if busy {
		cause, advice = why, "Close those programs and measure again, to be sure."
	}
	best, second := g.leaders(rows)
	speed := fmt.Sprintf("about %s %s a second", pace(g.speed(best)), g.counts)
	switch when := g.wins(best, second, earlier); {
	case g.speed(best) == 0:
		return "Not reliable", capitalized(cause) + ". " + advice
	case g.speed(second) == 0:
		return "Probably " + speed, "It can be another speed: " + cause + ". " + advice
	case when != "":
		return "Probably " + barName(best) + ": " + speed, "It was the fastest " + when + ", though " + cause + ". " + advice
	}
	return "No clear winner: " + speed, fmt.Sprintf("%s and %s do not lie clearly apart, and %s. %s", barName(best), barName(second), cause, advice)
}

// wins says when the fastest way was the fastest, where that makes it probable; "": it is not.
func (g gist) wins(best, second measure.Row, earlier []measure.Result) string {
	same, of := g.agreeing(best, earlier)
	switch {
	case g.speed(second) == 0 || g.speed(best) < noticeable*g.speed(second):
	case g.apart(best, second):
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
func (g gist) leaders(rows []measure.Row) (best, second measure.Row) {
	for _, r := range rows {
		switch v := g.speed(r); {
		case v == 0 || r.Emulated || r.Judge() == measure.Different:
		case v > g.speed(best):
			best, second = r, best
		case v > g.speed(second):
			second = r
		}
	}
	return best, second
}

// apart reports whether each repetition of a row was faster than each of another.
func (g gist) apart(fast, slow measure.Row) bool {
	bounds := func(r measure.Row) (least, most float64) {
		m, _ := r.Measure(g.work)
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
func (g gist) agreeing(best measure.Row, earlier []measure.Result) (same, of int) {
	for _, result := range earlier {
		first, second := g.leaders(result.Rows)
		if g.speed(second) == 0 {
			continue
		}
		for _, r := range result.Rows {
			if r.Target == best.Target && g.speed(r) > 0 {
				of++
				if first.Target == best.Target {
					same++
				}
			}
		}
	}
	return same, of
}
