package convert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"inglenook/tokenizer/definition"
)

// The kinds of SentencePiece models (TrainerSpec.ModelType).
const (
	unigramKind = 1
	bpeKind     = 2
)

// pieces is what a SentencePiece model says about its tokens. The format is
// https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto.
type pieces struct {
	kind               int64
	tokens             []string
	scores             []float32
	types              []int32 // as GGUF numbers them, which took the numbers from here
	unk, bos, eos, pad int32
	charsmap           []byte
	prefix, squeeze    bool // a space before a text; spaces in a row count as one
}

var errCut = errors.New("it ends in the middle of a value; get a new copy of it")

// readPieces reads a ModelProto.
func readPieces(data []byte) (*pieces, error) {
	p := &pieces{kind: unigramKind, unk: 0, bos: 1, eos: 2, pad: -1, prefix: true, squeeze: true}
	err := fields(data, func(number int, v uint64, part []byte) error {
		switch number {
		case 1:
			return p.readPiece(part)
		case 2:
			return fields(part, p.readTrainer)
		case 3:
			return fields(part, p.readNormalizer)
		}
		return nil
	})
	if err == nil && len(p.tokens) == 0 {
		err = errors.New("it holds no tokens")
	}
	return p, err
}

func (p *pieces) readPiece(data []byte) error {
	if len(p.tokens) >= definition.MaxTokens {
		return fmt.Errorf("it has more than %d tokens", definition.MaxTokens)
	}
	token, score, kind := "", float32(0), int32(NormalType)
	err := fields(data, func(number int, v uint64, part []byte) error {
		switch number {
		case 1:
			token = string(part)
		case 2:
			score = math.Float32frombits(uint32(v))
		case 3:
			kind = int32(v)
		}
		return nil
	})
	p.tokens, p.scores, p.types = append(p.tokens, token), append(p.scores, score), append(p.types, kind)
	return err
}

func (p *pieces) readTrainer(number int, v uint64, _ []byte) error {
	switch number {
	case 3:
		p.kind = int64(v)
	case 40:
		p.unk = int32(v)
	case 41:
		p.bos = int32(v)
	case 42:
		p.eos = int32(v)
	case 43:
		p.pad = int32(v)
	}
	return nil
}

func (p *pieces) readNormalizer(number int, v uint64, part []byte) error {
	switch number {
	case 2:
		p.charsmap = part
	case 3:
		p.prefix = v != 0
	case 4:
		p.squeeze = v != 0
	}
	return nil
}

// fields calls do for each field of a protobuf message, with its number and its value:
// a number, or the bytes of a part.
func fields(data []byte, do func(number int, v uint64, part []byte) error) error {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 || tag>>3 == 0 || tag>>3 > math.MaxInt32 {
			return errCut
		}
		data = data[n:]
		var v uint64
		var part []byte
		switch tag & 7 {
		case 0:
			if v, n = binary.Uvarint(data); n <= 0 {
				return errCut
			}
			data = data[n:]
		case 1:
			if len(data) < 8 {
				return errCut
			}
			v, data = binary.LittleEndian.Uint64(data), data[8:]
		case 2:
			size, n := binary.Uvarint(data)
			if n <= 0 || size > uint64(len(data)-n) {
				return errCut
			}
			part, data = data[n:n+int(size)], data[n+int(size):]
		case 5:
			if len(data) < 4 {
				return errCut
			}
			v, data = uint64(binary.LittleEndian.Uint32(data)), data[4:]
		default:
			return errors.New("it is not a SentencePiece model; get a new copy of it")
		}
		if err := do(int(tag>>3), v, part); err != nil {
			return err
		}
	}
	return nil
}
