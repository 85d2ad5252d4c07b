package performance

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/panel"
)

// curveRemark says what a test by number or length found, and where the rest of it is; "": there was
// none, or its values are not reliable. It is of the first way that has a curve.
func curveRemark(rows []measure.Row, m library.Model) string {
	if why, _ := doubt(rows, mainWork(m.Kind)); why != "" {
		return ""
	}
	for _, r := range rows {
		if len(r.Curve) < 2 {
			continue
		}
		first, last := r.Curve[0], r.Curve[len(r.Curve)-1]
		if first.Value <= 0 || last.Value <= 0 {
			continue
		}
		where := panel.TargetName(r.Target)
		if m.Writes() {
			return fmt.Sprintf("%s: after %d tokens it writes %s as after %d (%s); more under Details.", byLength, last.Size, timesAs(last.Value/first.Value), first.Size, where)
		}
		return fmt.Sprintf("%s: with %d texts at once it is %s as with %d (%s); more under Details.", byNumber, last.Size, timesAs(first.Value/last.Value), first.Size, where)
	}
	return ""
}

// joined are the sentences that there are, in one line.
func joined(sentences []string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}
