package support

import (
	_ "embed"
	"strings"
)

//go:embed lists.txt
var listFile string

// lists are the lists of words of lists.txt by their names.
var lists = func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	var list map[string]bool
	for line := range strings.Lines(listFile) {
		name, begins := strings.CutPrefix(line, "= ")
		switch {
		case begins:
			list = map[string]bool{}
			all[strings.TrimSpace(name)] = list
		case !strings.HasPrefix(line, "#"):
			for _, word := range strings.Fields(line) {
				list[word] = true
			}
		}
	}
	return all
}()
