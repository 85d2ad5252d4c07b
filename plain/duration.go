package plain

import (
	"fmt"
	"math"
	"time"
)

// Duration rounds a time for a sentence: seconds up to two minutes, then minutes, then hours.
func Duration(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return "more than a day"
	case d >= 2*time.Hour:
		return fmt.Sprintf("about %.0f hours", d.Hours())
	case d > 119*time.Second:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d > time.Second:
		return fmt.Sprintf("%.0f seconds", math.Ceil(d.Seconds()))
	}
	return "a second"
}
