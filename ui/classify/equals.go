package classify

import (
	"fmt"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// equals are the texts that say the same as the one that is shown, and have not got the label by hand that it has.
func (r *results) equals() (some []int) {
	if r.of == nil || r.at < 0 || !r.of.byHand(r.at) || r.of.small[r.at] != nil || len(r.chosenTexts()) > 1 {
		return nil
	}
	for i, line := range r.of.lines {
		if i != r.at && line == r.of.lines[r.at] && r.of.small[i] == nil && r.of.own[i] != r.of.own[r.at] {
			some = append(some, i)
		}
	}
	return some
}

// giveEquals gives these the same label.
func (r *results) giveEquals() {
	if some := r.equals(); len(some) > 0 {
		r.giveTo(some, r.of.own[r.at])
	}
}

// showEquals offers that, where there are any and there is room.
func (r *results) showEquals() {
	n := 0
	if !r.low {
		n = len(r.equals())
	}
	if n > 0 {
		r.equal.Set(equalCount(n))
	}
	kit.Show(r.equal, n > 0)
}

func equalCount(n int) string {
	return fmt.Sprintf("Give it to %s", kit.Count(n, "equal text"))
}

// equalItem offers the same in a menu; nil: there are none.
func (r *results) equalItem() *fyne.MenuItem {
	n := len(r.equals())
	if n == 0 {
		return nil
	}
	return fyne.NewMenuItem(equalCount(n), r.giveEquals)
}
