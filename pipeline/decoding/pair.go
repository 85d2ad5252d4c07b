package decoding

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"inglenook/engine"
)

// Pair has the decoder of a history write two texts in passes that they share. The history
// goes on as the first of them. The second one begins with what was read, as far as the device
// lets it be copied. There is an error where there is no memory for a second context.
func (h *History) Pair(d *Decoder) (second *History, err error) {
	if err := d.roomForTwo(); err != nil {
		return nil, err
	}
	if err := d.Sequences(2); err != nil {
		return nil, err
	}
	copied := d.copyToSecond(len(h.IDs))
	of := NewGroup(d).Sequences()
	h.Model, h.trial = of[0], trial{}
	second = NewHistory(of[1], d.context, d.Chunk)
	second.IDs = append(second.IDs, h.IDs[:copied]...)
	return second, nil
}

// Single undoes [History.Pair]: the history has the decoder alone again, and what the other
// one read is forgotten. Nobody may write in either of them.
func (h *History) Single() error {
	s, paired := h.Model.(*Sequence)
	if !paired {
		return nil
	}
	if !s.group.end() {
		return errors.New("the model has been closed")
	}
	d := s.group.decoder
	h.Model, h.trial = d, trial{}
	if s.epoch != d.epoch {
		h.IDs = h.IDs[:0]
	}
	var errs []error
	for _, c := range d.others {
		errs = append(errs, c.Release())
	}
	d.others = nil
	return errors.Join(errs...)
}

// roomForTwo returns an error where there is no memory for a second context.
func (d *Decoder) roomForTwo() error {
	needs, _, err := d.Needs()
	if err != nil {
		return err
	}
	free := engine.Room(d.List.Backends[0])
	if needs.Apart == 0 && d.List.Available != nil {
		free = d.List.Available()
	}
	if free <= 0 || needs.Cache <= free {
		return nil
	}
	return fmt.Errorf("a second answer at the same time needs %s more of memory and %s are free; choose a smaller context, or ask for one answer",
		humanize.Bytes(uint64(needs.Cache)), humanize.Bytes(uint64(free)))
}

// copyToSecond copies whole blocks of what the first sequence has read of n ids, and returns how
// many ids they are. A device whose caches cannot be copied reads them again.
func (d *Decoder) copyToSecond(n int) (copied int) {
	if d.List.Moved() {
		return 0
	}
	first, err := d.blocksOf(0)
	if err != nil {
		return 0
	}
	second, err := d.blocksOf(1)
	if err != nil || second.Bytes != first.Bytes {
		return 0
	}
	block := make([]byte, first.Bytes)
	for i := 0; i < first.Count && (i+1)*engine.CacheBlock <= n; i++ {
		if first.Read(i, block) != nil || second.Write(i, block) != nil {
			break
		}
		copied = (i + 1) * engine.CacheBlock
	}
	return copied
}

// blocksOf returns the caches of a sequence.
func (d *Decoder) blocksOf(sequence int) (engine.CacheBlocks, error) {
	d.recordReads([]read{{sequence: sequence, ids: []int32{0}}})
	return d.Graph.CacheBlocks(d.List.Backends...)
}
