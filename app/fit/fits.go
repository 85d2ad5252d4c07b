package fit

// How a model fits into the memory that is free.
const (
	FitsWell  = "fits"
	FitsTight = "tight" // little would be left
	FitsNot   = "too large"
)

// Tight is the share of free memory beyond which little is left for others.
const Tight = 0.85

// FitsInto reports how a model of so many bytes fits; "" where one of them is unknown.
func FitsInto(needs, available int64) string {
	switch {
	case needs == 0 || available == 0:
		return ""
	case needs > available:
		return FitsNot
	case float64(needs) > Tight*float64(available):
		return FitsTight
	}
	return FitsWell
}
