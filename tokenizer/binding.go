package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	hf "github.com/daulet/tokenizers"
)

// lazyNative is one native tokenizer, loaded on first use. The library fixes
// the treatment of control tokens at load, so a file has several: one keeps
// control tokens as text, one parses them; most programs use only the first.
// The lock keeps Close from freeing memory that a call is using.
type lazyNative struct {
	build func() (data []byte, asText bool)

	mu     sync.RWMutex
	native *hf.Tokenizer
	closed bool
}

// encoded is the library's answer: offsets are bytes of the text it was given.
type encoded struct {
	ids     []uint32
	offsets []hf.Offset
}

func (l *lazyNative) load() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if l.native != nil {
		return nil
	}
	data, asText := l.build()
	var options []hf.TokenizerOption
	if asText {
		options = append(options, hf.WithEncodeSpecialTokens())
	}
	native, err := hf.FromBytes(data, options...)
	releaseMemory()
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), "Failed to create tokenizer from bytes: ")
		return fmt.Errorf("the tokenizer library refuses it (%.200s)", reason)
	}
	l.native = native
	return nil
}

// use runs f with the native tokenizer, loading it first if needed.
func (l *lazyNative) use(f func(*hf.Tokenizer)) error {
	for {
		l.mu.RLock()
		if l.native != nil {
			defer l.mu.RUnlock()
			f(l.native)
			return nil
		}
		l.mu.RUnlock()
		if err := l.load(); err != nil {
			return err
		}
	}
}

// encode runs the library on text, which must be free of NUL and broken UTF-8.
// It never requests the token strings: one with a NUL would end the process.
func (l *lazyNative) encode(text string, offsets bool) (e encoded, err error) {
	err = l.use(func(native *hf.Tokenizer) {
		var options []hf.EncodeOption
		if offsets {
			options = append(options, hf.WithReturnOffsets())
		}
		answer := native.EncodeWithOptions(text, false, options...)
		e = encoded{ids: answer.IDs, offsets: answer.Offsets}
	})
	if err == nil && offsets && len(e.offsets) != len(e.ids) {
		err = errors.New("the tokenizer library gave no offsets")
	}
	return e, err
}

func (l *lazyNative) decode(ids []uint32) (text string, err error) {
	err = l.use(func(native *hf.Tokenizer) { text = native.Decode(ids, false) })
	return text, err
}

// check returns ErrClosed after close.
func (l *lazyNative) check() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return ErrClosed
	}
	return nil
}

func (l *lazyNative) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.native != nil {
		l.native.Close()
		l.native = nil
		releaseMemory()
	}
}
