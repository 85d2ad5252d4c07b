package plain

import (
	"fmt"
	"math"
	"time"
)

// Duration rounds a time for a sentence: seconds up to two minutes, then minutes, up to ten of them to a
// half, then hours.
func Duration(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return "more than a day"
	case d >= 2*time.Hour:
		return fmt.Sprintf("about %.0f hours", d.Hours())
	case d > 119*time.Second && d < 10*time.Minute:
		return fmt.Sprintf("%g minutes", math.Round(2*d.Minutes())/2)
	case d > 119*time.Second:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d > time.Second:
		return fmt.Sprintf("%.0f seconds", math.Ceil(d.Seconds()))
	}
	return "a second"
}
