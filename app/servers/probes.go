package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/regular"
	"inglenook/remote"
)

// probes remember one vector of each embedder elsewhere. A server may get another model
// under the same name, whose vectors do not fit those of a collection; nothing else
// tells that.
type probes struct {
	path string
	mu   *sync.Mutex
}

// probe is the vector, and how many other models there were before.
type probe struct {
	Vector []float32 `json:"vector"`
	Turn   int       `json:"turn"`
}

const mostProbes = 8 << 20 // bytes of the file

func newProbes(p base.Paths) probes {
	return probes{filepath.Join(p.Data, "servers.json"), &sync.Mutex{}}
}

func (p probes) read() map[string]probe {
	list := map[string]probe{}
	data, err := regular.ReadFile(context.Background(), p.path, mostProbes)
	if err != nil || json.Unmarshal(data, &list) != nil || list == nil {
		return map[string]probe{}
	}
	return list
}

// saw notes the vector of a model.
func (p probes) saw(id string, vector []float32) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.read()
	have, ok := list[id]
	if ok && remote.SameModel(have.Vector, vector) {
		return nil
	}
	next := probe{Vector: vector}
	if ok {
		next.Turn = have.Turn + 1
	}
	list[id] = next
	data, err := json.Marshal(list)
	if err == nil {
		err = durable.Write(p.path, data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("what is known of the server's model could not be kept in %s: %w", base.ShortPath(p.path), base.PlainError(err))
	}
	return nil
}

// print is the same as long as the model is.
func (p probes) print(id string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("elsewhere-%d", p.read()[id].Turn)
}
