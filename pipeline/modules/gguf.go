package modules

import (
	"errors"
	"fmt"

	"inglenook/engine"
	"inglenook/weights/gguf"
)

// ggufPooling maps the pooling_type of llama.cpp's files. 0 says that there is none, and 4
// that the model scores pairs of texts.
var ggufPooling = map[int]engine.PoolMode{1: engine.PoolMean, 2: engine.PoolCLS, 3: engine.PoolLast}

// FromGGUF reads from the metadata of a GGUF file how the states are pooled. Vectors of such
// files get the length 1, as from the programs that they are made for.
func (m *List) FromGGUF(meta *gguf.Meta) error {
	arch, err := meta.String("general.architecture")
	if err != nil {
		return err
	}
	key := arch + ".pooling_type"
	kind, err := meta.Int(key)
	switch {
	case errors.Is(err, gguf.ErrNoKey):
		return nil
	case err != nil:
		return err
	case kind == 0, kind == 4:
		return nil
	}
	mode, known := ggufPooling[kind]
	if !known {
		return fmt.Errorf("the metadata %s are %d, and this way to pool is not known (known are 1 for mean, 2 for cls and 3 for last); get a newer version of this program, or state the pooling", key, kind)
	}
	m.Pooling, m.Stated = []engine.PoolMode{mode}, true
	m.Steps = append(m.Steps, Normalize{})
	return nil
}
