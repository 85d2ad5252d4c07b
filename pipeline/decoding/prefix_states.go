package decoding

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// The keys and values of a recurrent model are not enough to go on from: it needs its
// state after so many tokens as well, which is large. A prefix file of such a model has
// room for two, between its head and its blocks:
//
//	state  number of tokens, SHA-256 of their ids, CRC-32C of the state, CRC-32C of the 40 bytes before, the state
//
// The numbers before the state are written after it, so a state whose numbers are right
// was written whole, and is checked as well.

const (
	prefixStates   = 2
	stateHeadBytes = 4 + sha256.Size + 4 + 4
)

// StateBlocks are Blocks of a recurrent model, which has states after some numbers of
// tokens.
type StateBlocks interface {
	Blocks
	StateSize() int                           // bytes of a state; 0 = the model is not recurrent
	States() (tokens []int, alone []bool)     // that are kept, by rising numbers; alone: a pass of one token made it
	ForgetStates(n int)                       // those after more than n tokens
	ReadState(tokens int, to []byte) error    // copies one out
	WriteState(tokens int, from []byte) error // keeps one after more tokens than any other
}

// stateSlot returns the bytes of a state in the file, 0 for a model that has none.
func stateSlot(m Blocks) int {
	if s, ok := m.(StateBlocks); ok && s.StateSize() > 0 {
		return stateHeadBytes + s.StateSize()
	}
	return 0
}

func (f prefixFile) recurrent() bool { return f.first > prefixHeadBytes }

// slot returns where a state lies.
func (f prefixFile) slot(i int) int64 { return int64(prefixHeadBytes + i*stateSlot(f.Blocks)) }

// stateOf returns the numbers before a state after the ids.
func stateOf(ids []int32, state []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(ids)))
	head = append(head, hashIDs(ids)...)
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(state, castagnoli))
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

func hashIDs(ids []int32) []byte {
	h := sha256.New()
	for _, id := range ids {
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(id)))
	}
	return h.Sum(nil)
}

// holds returns after how many of the ids a slot has a state, 0 if after none.
func (f prefixFile) holds(slot int, ids []int32) int {
	head := make([]byte, stateHeadBytes)
	if _, err := f.from.ReadAt(head, f.slot(slot)); err != nil {
		return 0
	}
	end := stateHeadBytes - 4
	n := int64(binary.LittleEndian.Uint32(head))
	if crc32.Checksum(head[:end], castagnoli) != binary.LittleEndian.Uint32(head[end:]) || n > int64(len(ids)) {
		return 0
	}
	if string(hashIDs(ids[:n])) != string(head[4:4+sha256.Size]) {
		return 0
	}
	return int(n)
}

// stateWithin returns the slot with the state after most of the ids, and how many these
// are.
func (f prefixFile) stateWithin(ids []int32) (tokens, slot int) {
	for i := range prefixStates {
		if n := f.holds(i, ids); n > tokens {
			tokens, slot = n, i
		}
	}
	return tokens, slot
}

// forgetStates gives up the states that belong to other ids from n on.
func (f prefixFile) forgetStates(n int) {
	if s, ok := f.Blocks.(StateBlocks); ok {
		s.ForgetStates(n)
	}
}

// takeState brings the state of a slot, which is that after the ids, to the model.
func (f prefixFile) takeState(slot int, ids []int32) error {
	s := f.Blocks.(StateBlocks)
	data := make([]byte, stateSlot(f.Blocks))
	if _, err := f.from.ReadAt(data, f.slot(slot)); err != nil {
		return damagedState{slot}
	}
	state := data[stateHeadBytes:]
	if string(stateOf(ids, state)) != string(data[:stateHeadBytes]) {
		return damagedState{slot}
	}
	return s.WriteState(len(ids), state)
}

// damagedState is about a state that is not as it was written.
type damagedState struct{ slot int }

func (e damagedState) Error() string { return "a state is damaged" }

// keepStates writes the states that a conversation goes on from: the last one, for the
// next message, and the one near the end of the prompt, for another answer to the same
// message. What the file has already stays.
func keepStates(f prefixFile, file PrefixFile, ids []int32, withBlocks func(use func(Blocks) error) error) error {
	if !f.recurrent() {
		return nil
	}
	var wanted []int
	if err := withBlocks(func(m Blocks) error {
		wanted = goingOn(m.(StateBlocks), len(ids))
		return nil
	}); err != nil {
		return err
	}
	has := map[int]bool{}
	var free []int
	for i := range prefixStates {
		n := f.holds(i, ids)
		useful := false
		for _, w := range wanted {
			useful = useful || w == n && !has[n]
		}
		if has[n] = true; !useful {
			free = append(free, i)
		}
	}
	for _, n := range wanted {
		if has[n] {
			continue
		}
		if err := keepState(f, file, free[0], ids[:n], withBlocks); err != nil {
			return err
		}
		free = free[1:]
	}
	return nil
}

// goingOn returns after how many of n tokens states are worth keeping.
func goingOn(m StateBlocks, n int) []int {
	tokens, alone := m.States()
	last, prompt, near := 0, 0, 0
	for i, t := range tokens {
		if t > n {
			break
		}
		if last = t; !alone[i] {
			prompt = t
		}
	}
	for _, t := range tokens {
		if t <= prompt-lastChunk {
			near = t
		}
	}
	if near == 0 && prompt < last {
		near = prompt
	}
	return slices.DeleteFunc([]int{last, near}, func(t int) bool { return t == 0 })
}

// keepState writes the state after the ids to a slot.
func keepState(f prefixFile, file PrefixFile, slot int, ids []int32, withBlocks func(use func(Blocks) error) error) error {
	state := make([]byte, stateSlot(f.Blocks)-stateHeadBytes)
	err := withBlocks(func(m Blocks) error { return m.(StateBlocks).ReadState(len(ids), state) })
	if err != nil {
		return err
	}
	at := f.slot(slot)
	if _, err := file.WriteAt(make([]byte, stateHeadBytes), at); err != nil {
		return err
	}
	if _, err := file.WriteAt(state, at+stateHeadBytes); err != nil {
		return err
	}
	_, err = file.WriteAt(stateOf(ids, state), at)
	return err
}
