package decoding

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"inglenook/engine"
)

// A prefix file keeps what a Generator has read, so that a conversation goes on
// at once after the program was closed or the model was used for another one:
//
//	head    8 bytes "INGLEPFX", SHA-256 of stamp and form, CRC-32C of the 40 bytes
//	states  only of recurrent models: see prefix_states.go
//	blocks  CRC-32C, number of tokens, their ids (32 numbers), keys and values
//
// Numbers are 32 bits, little-endian. All blocks have one size. All but the last
// hold 32 tokens. The checksum of a block continues that of the block before it,
// so a block counts only behind the blocks that it was written behind. If the file
// is cut off, damaged, or has blocks left over, all blocks before that are good.

const (
	prefixMagic     = "INGLEPFX"
	prefixHeadBytes = len(prefixMagic) + sha256.Size + 4
	prefixIDs       = 8 // where the ids of a block begin
	prefixRows      = prefixIDs + 4*engine.CacheBlock
)

// Prefix says where a reply may find what was read when the model was open
// before.
type Prefix struct {
	From  io.ReaderAt // as KeepPrefix wrote it
	Stamp string      // names model and program: with another one, From is left alone
	// Ignored hears why From, or a part of it, could not be used; it may be nil.
	Ignored func(error)
}

// PrefixFile is what KeepPrefix writes to; an *os.File is one.
type PrefixFile interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
}

// BlockKeeper is a predictor whose memory of what it has read can be copied.
type BlockKeeper interface {
	// Blocks are its memory as it is now. An error means that there is none to copy.
	Blocks() (Blocks, error)
}

// Blocks is the memory of a predictor in blocks of 32 tokens.
type Blocks interface {
	Size() (form string, bytes, count int)
	Read(i int, to []byte) error
	Write(i int, from []byte) error
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errOtherPrefix is about a file of another model, device or program.
var errOtherPrefix = errors.New("it was kept by another model, device or version")

// damagedPrefix is about a block that is not as it was written.
type damagedPrefix struct{ block int }

func (e damagedPrefix) Error() string { return fmt.Sprintf("block %d is damaged", e.block) }

// prefixHead is the head of a file for a model's memory.
func prefixHead(stamp, form string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s%s", len(stamp), stamp, form))
	head := append([]byte(prefixMagic), sum[:]...)
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

// prefixFile is a file in the form of a model's memory.
type prefixFile struct {
	Blocks
	from  io.ReaderAt
	head  []byte
	bytes int // of a block in the file
	count int // most blocks
	first int // where the blocks begin
}

func openPrefix(from io.ReaderAt, stamp string, m Blocks) prefixFile {
	form, bytes, count := m.Size()
	first := prefixHeadBytes + prefixStates*stateSlot(m)
	return prefixFile{m, from, prefixHead(stamp, form), prefixRows + bytes, count, first}
}

// mine reports whether the file has the head that it should; nil, or why not.
func (f prefixFile) mine() error {
	head := make([]byte, prefixHeadBytes)
	if _, err := f.from.ReadAt(head, 0); err != nil {
		return err
	}
	if !slices.Equal(head, f.head) {
		return errOtherPrefix
	}
	return nil
}

func (f prefixFile) at(block int) int64 { return int64(f.first) + int64(block)*int64(f.bytes) }

// matching returns how many of the ids the file's blocks hold, counted from the
// first id. It also returns the checksum before the block in which the match
// ends. It does not check the checksums of the blocks.
func (f prefixFile) matching(ids []int32) (n int, chain uint32) {
	chain = binary.LittleEndian.Uint32(f.head[prefixHeadBytes-4:])
	data := make([]byte, prefixRows)
	for i := 0; i < f.count && n == i*engine.CacheBlock; i++ {
		if _, err := f.from.ReadAt(data, f.at(i)); err != nil {
			return n, chain
		}
		held := min(int(binary.LittleEndian.Uint32(data[4:])), engine.CacheBlock)
		for k := 0; k < held && n < len(ids) && prefixID(data, k) == ids[n]; k++ {
			n++
		}
		if n == (i+1)*engine.CacheBlock {
			chain = binary.LittleEndian.Uint32(data)
		}
	}
	return n, chain
}

func prefixID(block []byte, k int) int32 {
	return int32(binary.LittleEndian.Uint32(block[prefixIDs+4*k:]))
}

// seal puts the checksum of a block in its place and returns it.
func seal(block []byte, chain uint32) uint32 {
	sum := crc32.Update(chain, castagnoli, block[4:])
	binary.LittleEndian.PutUint32(block, sum)
	return sum
}

// Recall takes what a prefix file holds of the ids into the cache, if that is
// more than the model has read of them. It returns how many ids came from the
// file. What cannot be used is left alone, and p.Ignored is told why.
func (h *History) Recall(ctx context.Context, p *Prefix, ids []int32) int {
	before := h.Shared(ids)
	if err := h.takeUp(ctx, p, ids); err != nil && ctx.Err() == nil && p.Ignored != nil {
		p.Ignored(err)
	}
	return max(0, h.Shared(ids)-before)
}

func (h *History) takeUp(ctx context.Context, p *Prefix, ids []int32) error {
	k, ok := h.Model.(BlockKeeper)
	if !ok {
		return nil
	}
	m, err := k.Blocks()
	if err != nil {
		return err
	}
	f := openPrefix(p.From, p.Stamp, m)
	if err := f.mine(); err != nil {
		return err
	}
	known := h.Shared(ids)
	n, _ := f.matching(ids[:len(ids)-1])
	slot := 0
	if f.recurrent() {
		n, slot = f.stateWithin(ids[:n])
	}
	if n <= known {
		return nil
	}
	f.forgetStates(known)
	block, chain := make([]byte, f.bytes), binary.LittleEndian.Uint32(f.head[prefixHeadBytes-4:])
	for i := 0; i*engine.CacheBlock < n; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := f.from.ReadAt(block, f.at(i)); err != nil {
			return damagedPrefix{i}
		}
		if sum := binary.LittleEndian.Uint32(block); sum != seal(block, chain) {
			return damagedPrefix{i}
		} else {
			chain = sum
		}
		end := min(n, (i+1)*engine.CacheBlock)
		if end <= known {
			continue
		}
		h.Cut(i * engine.CacheBlock)
		if err := f.Write(i, block[prefixRows:]); err != nil {
			return err
		}
		h.IDs = append(h.IDs, ids[len(h.IDs):end]...)
	}
	if f.recurrent() {
		return f.takeState(slot, ids[:n])
	}
	return nil
}

// ErrPrefixGone says that the cache holds something else by now.
var ErrPrefixGone = errors.New("the cache holds something else by now")

// KeepPrefix brings a file up to date with the ids and with what the cache
// holds of them. What the file has of them already stays. withBlocks calls its
// argument with the memory of what was read, and nobody reads more meanwhile.
// It fails if that memory does not begin with the ids any more. KeepPrefix
// calls it for one block at a time, so that an answer hardly waits. After an
// error, the file is a good prefix file of what was written before.
func KeepPrefix(file PrefixFile, stamp string, ids []int32, withBlocks func(use func(Blocks) error) error) error {
	var f prefixFile
	held := 0
	var chain uint32
	err := withBlocks(func(m Blocks) error {
		f = openPrefix(file, stamp, m)
		if f.mine() == nil {
			held, chain = f.matching(ids)
			return nil
		}
		chain = binary.LittleEndian.Uint32(f.head[prefixHeadBytes-4:])
		if err := file.Truncate(0); err != nil {
			return err
		}
		_, err := file.WriteAt(f.head, 0)
		return err
	})
	if err != nil {
		return err
	}
	if held < len(ids) {
		if err := keepBlocks(f, file, ids, held, chain, withBlocks); err != nil {
			return err
		}
	}
	return keepStates(f, file, ids, withBlocks)
}

// keepBlocks writes the blocks of the ids, of which the file holds some already. chain is
// the checksum before the block in which these end.
func keepBlocks(f prefixFile, file PrefixFile, ids []int32, held int, chain uint32, withBlocks func(use func(Blocks) error) error) error {
	first := held / engine.CacheBlock
	if err := file.Truncate(f.at(first)); err != nil {
		return err
	}
	block := make([]byte, f.bytes)
	for i := first; i < f.count && i*engine.CacheBlock < len(ids); i++ {
		some := ids[i*engine.CacheBlock : min(len(ids), (i+1)*engine.CacheBlock)]
		err := withBlocks(func(m Blocks) error { return m.Read(i, block[prefixRows:]) })
		if err != nil {
			return err
		}
		clear(block[:prefixRows])
		binary.LittleEndian.PutUint32(block[4:], uint32(len(some)))
		for k, id := range some {
			binary.LittleEndian.PutUint32(block[prefixIDs+4*k:], uint32(id))
		}
		chain = seal(block, chain)
		if _, err := file.WriteAt(block, f.at(i)); err != nil {
			return err
		}
	}
	return nil
}

// Blocks returns the memory of what was read. It fails if that does not begin
// with the ids any more.
func (h *History) Blocks(ids []int32) (Blocks, error) {
	if len(h.IDs) < len(ids) || !slices.Equal(h.IDs[:len(ids)], ids) {
		return nil, ErrPrefixGone
	}
	k, ok := h.Model.(BlockKeeper)
	if !ok {
		return nil, engine.ErrCacheStays
	}
	return k.Blocks()
}
