package panel

import (
	"fmt"
	"strings"

	"inglenook/ui/kit"
)

// Refused is a file that cannot be used.
type Refused struct {
	Name string
	Err  error
}

// ReasonsTold is how many files are named with their reasons; others only by their names.
const ReasonsTold = 6

// Refusal names the refused ones of files that came together, at least one. A file alone is
// told with what can be done about it.
func Refusal(refused []Refused, files int) string {
	if len(refused) == 1 {
		return kit.Sentence(refused[0].Err.Error())
	}
	first, rest := refused[:min(ReasonsTold, len(refused))], refused[min(ReasonsTold, len(refused)):]
	text := fmt.Sprintf("%d of %s could not be used. ", len(refused), kit.Count(files, "file"))
	if len(refused) == files {
		text = fmt.Sprintf("None of %d files could be used. ", files)
	}
	for i, r := range first {
		if i > 0 {
			text += "; "
		}
		text += r.reason()
	}
	if len(rest) > 0 {
		text += "; the others are "
		for i, r := range rest {
			if i > 0 {
				text += ", "
			}
			text += kit.Brief(r.Name)
		}
	}
	return kit.Sentence(text)
}

// reason is the name of the file and what is wrong with it, without what to do about it.
func (r Refused) reason() string {
	why, ok := strings.CutPrefix(r.Err.Error(), r.Name)
	if !ok {
		why = ": " + why
	}
	why, _, _ = strings.Cut(why, "; ")
	return kit.Brief(r.Name) + strings.TrimRight(why, ".")
}
