package search

// How passages are spread over files.
const (
	spreadFirst = 12 // so many places at the top
	spreadOfOne = 4  // have at most so many passages of one file
	spreadReach = 3  // times as many passages are read as are wanted
)

// spread returns passages, the best first, in an order in which one file does not have all places at
// the top: what it has too many of comes behind them. Where there are few files it has the rest of
// the places too.
func spread(results []Result) []Result {
	of := map[string]int{}
	var top, rest []Result
	for _, r := range results {
		path := r.Files[0].Path
		if len(top) == spreadFirst || of[path] == spreadOfOne {
			rest = append(rest, r)
			continue
		}
		of[path]++
		top = append(top, r)
	}
	return append(top, rest...)
}
