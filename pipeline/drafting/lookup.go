package drafting

// Lookup finds how the last tokens went on when they came before.
type Lookup struct {
	ids  []int32
	ends [len(grams)]map[uint64]int32 // hash of a gram: how many tokens there were at its last end
	at   int                          // where the tokens go on that are like the last ones; 0: nowhere
	like int                          // how many last tokens are like those before at
}

// grams are the lengths by which stretches are found, the longest first: of two that
// begin alike, the longer one goes on alike more often.
var grams = [...]int{12, 6, 3, 2}

// longestMatch is how far back two stretches are compared.
const longestMatch = 32

// NewLookup returns a Lookup that has seen some tokens.
func NewLookup(ids []int32) *Lookup {
	l := &Lookup{ids: make([]int32, 0, 2*len(ids))}
	for i := range l.ends {
		l.ends[i] = map[uint64]int32{}
	}
	for _, id := range ids {
		l.Add(id)
	}
	return l
}

// Add sees the next token.
func (l *Lookup) Add(id int32) {
	l.ids = append(l.ids, id)
	l.at, l.like = 0, 0
	n := len(l.ids)
	for i, size := range grams {
		if n < size {
			continue
		}
		gram := hash(l.ids[n-size:])
		if before := int(l.ends[i][gram]); before > 0 && l.at == 0 {
			if like := l.matching(before); like >= size { // else another gram has its hash
				l.at, l.like = before, like
			}
		}
		l.ends[i][gram] = int32(n)
	}
}

// matching returns how many tokens before an end are like the last ones.
func (l *Lookup) matching(end int) (like int) {
	n := len(l.ids)
	for like < min(end, longestMatch) && l.ids[end-1-like] == l.ids[n-1-like] {
		like++
	}
	return like
}

// hash is FNV-1a over tokens.
func hash(ids []int32) uint64 {
	h := uint64(14695981039346656037)
	for _, id := range ids {
		h = (h ^ uint64(uint32(id))) * 1099511628211
	}
	return h
}

// Like returns how many of the last tokens came before; 0: there is no guess.
func (l *Lookup) Like() int { return l.like }

// Guess appends the next tokens to a list, n of them unless there is no guess. What came
// before may end at the last token: then it is taken to repeat.
func (l *Lookup) Guess(to []int32, n int) []int32 {
	if l.at == 0 {
		return to
	}
	first := len(to)
	for i := range n {
		if at := l.at + i; at < len(l.ids) {
			to = append(to, l.ids[at])
		} else {
			to = append(to, to[first+at-len(l.ids)])
		}
	}
	return to
}
