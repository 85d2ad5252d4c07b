package app

// Device is a place to compute, present or not.
type Device struct {
	ID          string   // as in --device: "cpu", "metal", "cuda"
	Kind        string   // "cpu", "metal", "cuda"
	Name        string   // as the system calls it
	MemoryBytes uint64   // total; 0 where unknown
	Available   bool     // false: Reason says why
	Reason      string   // one sentence, empty when available
	Threads     int      // CPU threads in use; 0 elsewhere
	Features    []string // instruction sets
}
