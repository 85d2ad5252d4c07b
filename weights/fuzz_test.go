package weights

import (
	"runtime"
	"testing"
)

// FuzzSafetensors opens any bytes as a checkpoint and reads all its weights:
//
//	go test -fuzz FuzzSafetensors ./weights
func FuzzSafetensors(f *testing.F) {
	f.Add(sample())
	f.Add(one(8))
	for _, c := range hostile() {
		if len(c.data) < 4096 {
			f.Add(c.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := single(data)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := Open(fsys, Options{})
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(len(data))+64<<20 {
			t.Errorf("%d bytes allocated for a file of %d", spent, len(data))
		}
		if err != nil {
			checkSentence(t, err, "model.safetensors")
			return
		}
		defer s.Close()
		readAll(t, s, len(data))
	})
}

// FuzzIndex opens any bytes as the index of two good shards.
func FuzzIndex(f *testing.F) {
	files := sharded()
	f.Add(files[indexFile])
	f.Add([]byte(`{"metadata":null,"weight_map":{"a":"../x.safetensors"}}`))
	f.Add([]byte(`{"metadata":{"total_size":1e1},"weight_map":{"c":"` + shard2 + `"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := sharded()
		files[indexFile] = data
		s, err := Open(folder(files), Options{})
		if err != nil {
			checkSentence(t, err, "safetensors")
			return
		}
		defer s.Close()
		readAll(t, s, 1<<20)
	})
}
