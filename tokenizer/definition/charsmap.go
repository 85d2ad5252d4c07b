package definition

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// checkCharsmap walks a SentencePiece precompiled_charsmap and checks that no
// lookup leaves it: the library indexes without a check. The format is
// SentencePiece's (normalizer.cc): the byte length of a double-array trie
// (darts-clone), the trie as little-endian 32-bit units, and the
// NUL-terminated replacements that the trie's values point into.
func checkCharsmap(data []byte) error {
	if len(data) < 4 {
		return fmt.Errorf("it is too short for a character map")
	}
	bytes := int(binary.LittleEndian.Uint32(data))
	if bytes%4 != 0 || bytes < 4 || bytes > len(data)-4 {
		return fmt.Errorf("its trie of %d bytes does not fit into its %d bytes", bytes, len(data))
	}
	units := data[4 : 4+bytes]
	replacements := data[4+bytes:]
	if !utf8.Valid(replacements) {
		return fmt.Errorf("its replacements are not UTF-8")
	}
	n := bytes / 4
	unit := func(i int) uint32 { return binary.LittleEndian.Uint32(units[4*i:]) }
	offset := func(u uint32) int { return int(u>>10) << ((u & (1 << 9)) >> 6) }

	// A node is the index that a unit's offset leads to; its children are at
	// index^byte. Every byte may be looked up at every index that is reached.
	reached := make([]bool, n)
	places := []int{offset(unit(0))}
	for len(places) > 0 {
		place := places[len(places)-1]
		places = places[:len(places)-1]
		if place|0xFF >= n {
			return fmt.Errorf("its trie points outside itself")
		}
		for b := 1; b < 256; b++ {
			child := place ^ b
			u := unit(child)
			if u&(1<<31|0xFF) != uint32(b) || reached[child] {
				continue
			}
			reached[child] = true
			next := child ^ offset(u)
			if next|0xFF >= n {
				return fmt.Errorf("its trie points outside itself")
			}
			if u>>8&1 == 1 {
				start := int(unit(next) & (1<<31 - 1))
				if start > len(replacements) || start < len(replacements) && !utf8.RuneStart(replacements[start]) {
					return fmt.Errorf("its trie points outside its replacements")
				}
			}
			places = append(places, next)
		}
	}
	return nil
}
