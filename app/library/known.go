package library

import (
	"sync"

	"inglenook/pipeline"
)

// maxKnown is how many models are kept in mind.
const maxKnown = 100

// known keeps in mind what the files of usable models tell, because a vocabulary takes milliseconds to
// read, and a server asks with each request. A file that changes changes the stamp.
type known struct {
	mu  sync.Mutex
	all map[knownKey]pipeline.Description
}

type knownKey struct{ id, root, sub, weightsFile, stamp string }

func keyOf(p Location, stamp string) knownKey {
	return knownKey{p.ID, p.root, p.Sub, p.WeightsFile, stamp}
}

// get returns what is known of the model at a place; its maps and lists must not be changed.
func (k *known) get(p Location, stamp string) (pipeline.Description, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	d, ok := k.all[keyOf(p, stamp)]
	return d, ok
}

func (k *known) put(p Location, stamp string, d pipeline.Description) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil || len(k.all) >= maxKnown {
		k.all = map[knownKey]pipeline.Description{}
	}
	k.all[keyOf(p, stamp)] = d
}
