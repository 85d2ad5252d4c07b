package chats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample is a log, and what a new process should find after each of its steps.
type sample struct {
	log   []byte
	ends  []int    // of the log after each step
	dumps []string // then
}

func newSample(t testing.TB, steps int) sample {
	t.Helper()
	w := newWalk(5, time.Second)
	dir := t.TempDir()
	s := open(t, dir, w.clocked, idle)
	defer s.Close()
	writers := map[string]*Writer{}
	var a sample
	for w.step < steps {
		try(t, w.next().apply(s, writers))
		killed := w.model.clone()
		killed.crash()
		a.log = must(os.ReadFile(filepath.Join(dir, "00000002.log")))(t)
		a.ends, a.dumps = append(a.ends, len(a.log)), append(a.dumps, killed.dump())
	}
	return a
}

// at returns the dump of a log that ends after some bytes.
func (a sample) at(bytes int) string {
	i, exact := slices.BinarySearch(a.ends, bytes)
	switch {
	case exact:
		return a.dumps[i]
	case i == 0:
		return ""
	}
	return a.dumps[i-1]
}

// replay loads a log from memory.
func replay(log []byte) (*Store, *frameReader, error) {
	s := &Store{state: newState()}
	frames := newFrameReader(bytes.NewReader(log), int64(len(log)))
	begun, err := frames.apply(&s.state)
	frames.dropHalf(begun, &s.state)
	for _, c := range s.state.conversations {
		c.settle(true)
	}
	return s, frames, err
}

func lost(frames *frameReader) (n int) {
	for _, e := range frames.damage {
		n += int(e.to - e.from)
	}
	return n
}

// A log that ends anywhere holds each step or does not, also one of several records.
func TestTruncatedAtEveryByte(t *testing.T) {
	a := newSample(t, 60)
	for n := range len(a.log) + 1 {
		s, frames, err := replay(a.log[:n])
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if whole := n - lost(frames); whole < 0 || len(frames.damage) > 1 {
			t.Fatalf("%d bytes: damage %v", n, frames.damage)
		}
		if diff := firstDifference(s.dump(), a.at(n)); diff != "" {
			t.Fatalf("%d bytes: %s", n, diff)
		}
	}
}

// Damage loses only the records that it touches.
func TestMutations(t *testing.T) {
	a := newSample(t, 80)
	frames := newFrameReader(bytes.NewReader(a.log), int64(len(a.log)))
	var whole []extent
	for frames.next() != nil {
		whole = append(whole, frames.last)
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		log := slices.Clone(a.log)
		at, size := r.IntN(len(log)-8), 1
		switch r.IntN(4) {
		case 0:
			log[at] ^= 1 << r.IntN(8)
		case 1:
			size = 8
			binary.LittleEndian.PutUint64(log[at:], r.Uint64()>>r.IntN(64))
		case 2:
			size = r.IntN(min(200, len(log)-at))
			clear(log[at : at+size])
		default:
			log = slices.Insert(log, at, byte(r.IntN(256)))
		}
		touched := 0
		for _, e := range whole {
			if e.from < int64(at+size) && e.to > int64(at) {
				touched++
			}
		}
		s, frames, err := replay(log)
		if err != nil && !errors.Is(err, errNewer) {
			t.Fatal(err)
		}
		read := newFrameReader(bytes.NewReader(log), int64(len(log)))
		count := 0
		for read.next() != nil {
			count++
		}
		if count < len(whole)-touched {
			t.Fatalf("%d bytes at %d touch %d of %d records, %d are left", size, at, touched, len(whole), count)
		}
		if len(frames.damage) == 0 && s.dump() != a.dumps[len(a.dumps)-1] {
			t.Fatalf("%d bytes at %d make a difference that nothing tells of", size, at)
		}
	}
}

// A file full of markers and wrong lengths needs memory of only a few times its size.
func TestFalseFrames(t *testing.T) {
	log := bytes.Repeat([]byte(marker+"\x00\x00\x10\x00abcd"), 1<<20)
	_, frames, err := replay(log)
	if err != nil || lost(frames) != len(log) || frames.budget > 0 {
		t.Errorf("lost %d of %d, budget left %d, error %v", lost(frames), len(log), frames.budget, err)
	}
}

// Records that no store writes, in valid frames.
func TestStrangeRecords(t *testing.T) {
	frame := func(fields ...any) []byte {
		var e encoder
		for _, f := range fields {
			switch f := f.(type) {
			case int:
				e.uint(uint64(f))
			case int64:
				e.int(f)
			case string:
				e.text(f)
			}
		}
		return appendFrame(nil, func(b []byte) []byte { return append(b, e.b...) })
	}
	message := func(id, parent int64) []byte {
		return frame(kindMessage, "c", id, parent, RoleUser, "", int64(1), "text")
	}
	for name, c := range map[string]struct {
		log      [][]byte
		lost     bool
		messages int // of the conversation c, -1: there is none
		err      error
	}{
		"unknown kind":         {[][]byte{frame(99, "c")}, true, -1, nil},
		"only a kind":          {[][]byte{frame(kindMessage)}, true, -1, nil},
		"a part of the fields": {[][]byte{frame(kindHead, "c", 1, "title")}, false, 0, nil},
		"no role":              {[][]byte{frame(kindMessage, "c", int64(1))}, true, -1, nil},
		"more than the fields": {[][]byte{append(message(1, 0), frame(kindHead, "c", 0, "", 0, int64(0), int64(0), int64(0), "", "", int64(1), int64(2), "later", "later")...)}, false, 1, nil},
		"id zero":              {[][]byte{message(0, 0)}, true, -1, nil},
		"negative id":          {[][]byte{message(-5, 0)}, true, -1, nil},
		"ids backwards":        {[][]byte{message(2, 0), message(1, 0)}, true, 1, nil},
		"a circle":             {[][]byte{message(1, 2), message(2, 1), message(3, 3), frame(kindHead, "c", 0, "")}, false, 3, nil},
		"lost parents":         {[][]byte{message(3, 1), message(9, 7), message(10, 9)}, false, 3, nil},
		"text too long":        {[][]byte{appendFrame(nil, func(b []byte) []byte { return append(b, kindPurge, 200, 'c') })}, true, -1, nil},
		"endless number":       {[][]byte{appendFrame(nil, func(b []byte) []byte { return append(b, bytes.Repeat([]byte{0xff}, 20)...) })}, true, -1, nil},
		"count too high":       {[][]byte{frame(kindMessage, "c", int64(1), int64(0), "", "", int64(1), "", "", 1<<40)}, true, -1, nil},
		"time too late":        {[][]byte{frame(kindMessage, "c", int64(1), int64(0), "", "", int64(1)<<62)}, true, -1, nil},
		"settings not JSON":    {[][]byte{frame(kindHead, "c", 0, "", 0, int64(0), int64(0), int64(0), "", "{")}, true, -1, nil},
		"leaf nowhere":         {[][]byte{message(1, 0), frame(kindHead, "c", 0, "", 0, int64(0), int64(0), int64(0), "", "", int64(77))}, false, 1, nil},
		"text of nothing":      {[][]byte{frame(kindAppend, "c", int64(4), 0, "words")}, false, 1, nil},
		"text of message 0":    {[][]byte{frame(kindAppend, "c", int64(0), 0, "words")}, true, -1, nil},
		"end of nothing":       {[][]byte{frame(kindFinish, "c", int64(4), "")}, true, -1, nil},
		"mark of nothing":      {[][]byte{frame(kindMark, "c", int64(4), int64(1))}, true, -1, nil},
		"newer":                {[][]byte{frame(kindVersion, version+1), message(1, 0)}, false, -1, errNewer},
	} {
		s, frames, err := replay(slices.Concat(c.log...))
		if !errors.Is(err, c.err) || (lost(frames) > 0) != c.lost {
			t.Errorf("%s: lost %d bytes, error %v", name, lost(frames), err)
		}
		got, err := s.Conversation("c")
		if err != nil {
			if c.messages >= 0 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if len(got.Messages) != c.messages || check(got) != nil {
			t.Errorf("%s: %d messages, %v", name, len(got.Messages), check(got))
		}
	}
}

// Open repairs or refuses files that are damaged.
func TestOpenDamaged(t *testing.T) {
	a := newSample(t, 120)
	middle := slices.Clone(a.log)
	middle[len(middle)/2] ^= 1
	torn := a.log[:len(a.log)-3]
	for name, c := range map[string]struct {
		files  map[string][]byte
		notice string // a part of it
		kept   int    // bytes
	}{
		"in order":             {map[string][]byte{"00000002.log": a.log}, "", 0},
		"torn end":             {map[string][]byte{"00000002.log": torn}, "the end of a conversation may be missing (", 1},
		"zeros at the end":     {map[string][]byte{"00000002.log": append(slices.Clone(a.log), make([]byte, 4096)...)}, "(4096 bytes of 00000002.log)", 4096},
		"one byte at the end":  {map[string][]byte{"00000002.log": append(slices.Clone(a.log), 7)}, "(1 byte of 00000002.log)", 1},
		"middle":               {map[string][]byte{"00000002.log": middle}, "Some saved conversations could not be read (", 1},
		"earlier file":         {map[string][]byte{"00000002.log": torn, "00000004.log": a.log}, "Some saved conversations could not be read (", 1},
		"all":                  {map[string][]byte{"00000002.log": make([]byte, 100)}, "(100 bytes of", 100},
		"empty":                {map[string][]byte{"00000002.log": {}}, "", 0},
		"base":                 {map[string][]byte{"00000002.log": torn, "00000003.base": a.log, "base-1.tmp": torn, "00000003.base-2.tmp": torn}, "", 0},
		"torn base":            {map[string][]byte{"00000003.base": torn}, "Some saved conversations could not be read (", 1},
		"names of other files": {map[string][]byte{"2.log": torn, "00000002.log.bak": torn, "-0000001.log": torn, "notes.txt": torn}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range c.files {
				try(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
			}
			s, notices := openNoticed(t, dir, quick)
			if text := strings.Join(notices, "\n"); !strings.Contains(text, c.notice) || (c.notice == "") != (text == "") {
				t.Errorf("notices %q", notices)
			}
			kept := 0
			for _, name := range files(t, dir, "damaged-*") {
				kept += len(must(os.ReadFile(name))(t))
			}
			if kept < c.kept || c.kept == 0 && kept > 0 {
				t.Errorf("%d bytes are kept", kept)
			}
			must(s.Create(Conversation{System: "new"}))(t)
			for s.wantsCompaction() {
				time.Sleep(time.Millisecond)
			}
			before := s.dump()
			try(t, s.Close())
			if diff := firstDifference(open(t, dir).dump(), before); diff != "" {
				t.Error(diff)
			}
			if len(files(t, dir, "*.tmp")) > 0 {
				t.Error("an unfinished base stays")
			}
		})
	}
}

// TestHalfACopy: a program that ends while it copies a conversation leaves no half of
// it, and what it wrote of it is cut off before the next record.
func TestHalfACopy(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, idle)
	id := must(s.Create(Conversation{}))(t)
	for range 3 {
		must(s.Add(id, Message{Role: RoleUser, Parts: Content("a message of some length")}))(t)
	}
	before, path := s.dump(), files(t, dir, "*.log")[0]
	whole := must(os.ReadFile(path))(t)
	must(s.Duplicate(id))(t)
	try(t, s.Close())
	all := must(os.ReadFile(path))(t)
	second := len(whole) + bytes.LastIndex(all[len(whole):], []byte(marker)) // where the head begins
	for _, end := range []int{len(whole) + 20, second, second + 5, len(all) - 1} {
		try(t, os.WriteFile(path, all[:end], 0o600))
		s, notices := openNoticed(t, dir, idle)
		if diff := firstDifference(s.dump(), before); diff != "" || len(notices) != 1 {
			t.Errorf("cut at %d: notices %q, %s", end, notices, diff)
		}
		must(s.Add(id, Message{Role: RoleUser, Parts: Content("and another")}))(t)
		want := s.dump()
		try(t, s.Close())
		s = open(t, dir, idle)
		if diff := firstDifference(s.dump(), want); diff != "" {
			t.Errorf("cut at %d, then added to: %s", end, diff)
		}
		try(t, s.Close())
	}
}

// A folder that a newer version wrote to is not changed.
func TestOpenNewer(t *testing.T) {
	dir := t.TempDir()
	newer := appendFrame(nil, func(b []byte) []byte { return append(b, kindVersion, version+1) })
	try(t, os.WriteFile(filepath.Join(dir, "00000002.log"), newer, 0o600))
	s, _, err := Open(dir)
	if s != nil || err == nil || !strings.Contains(err.Error(), "a newer version of Inglenook") {
		t.Errorf("%v", err)
	}
	if data := must(os.ReadFile(filepath.Join(dir, "00000002.log")))(t); !bytes.Equal(data, newer) {
		t.Error("the file has changed")
	}
}

// Valid frames with any payload lead to valid conversations.
func TestStrangePayloads(t *testing.T) {
	data := payloads(newSample(t, 60).log)
	r := rand.New(rand.NewPCG(6, 6))
	for range 1500 {
		changed := slices.Clone(data)
		for range 1 + r.IntN(4) {
			changed[r.IntN(len(changed))] = byte(r.IntN(256))
		}
		checkReplay(t, framed(changed))
	}
}

// payloads returns the payloads of a log, in the form that framed takes.
func payloads(log []byte) (data []byte) {
	frames := newFrameReader(bytes.NewReader(log), int64(len(log)))
	for payload := frames.next(); payload != nil; payload = frames.next() {
		if len(payload) <= 256 {
			data = append(append(data, byte(len(payload)-1)), payload...)
		}
	}
	return data
}

func FuzzReplay(f *testing.F) {
	a := newSample(f, 60)
	f.Add(a.log)
	f.Add(a.log[:len(a.log)/2])
	f.Add([]byte(marker))
	f.Add(payloads(a.log))
	f.Fuzz(func(t *testing.T, log []byte) {
		checkReplay(t, log)
		checkReplay(t, framed(log))
	})
}

// framed turns bytes, which are lengths and payloads, into valid frames.
func framed(data []byte) (log []byte) {
	for len(data) > 1 {
		n := min(1+int(data[0]), len(data)-1)
		log = appendFrame(log, func(b []byte) []byte { return append(b, data[1:1+n]...) })
		data = data[1+n:]
	}
	return log
}

// checkReplay checks that the conversations of any log are valid.
func checkReplay(t *testing.T, log []byte) {
	s, _, err := replay(log)
	if err != nil && !errors.Is(err, errNewer) {
		t.Fatal(err)
	}
	for _, id := range slices.Sorted(maps.Keys(s.state.conversations)) {
		c, err := s.Conversation(id)
		try(t, err)
		if err := check(c); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDamageIsReportedOnce opens and closes the store several times, each time before a new
// base could drop the damage.
func TestDamageIsReportedOnce(t *testing.T) {
	for _, torn := range []bool{false, true} {
		dir := t.TempDir()
		s := open(t, dir, idle)
		id := must(s.Create(Conversation{}))(t)
		for range 5 {
			must(s.Add(id, Message{Role: RoleUser, Parts: Content("a message of some length")}))(t)
		}
		try(t, s.Close())
		path := files(t, dir, "*.log")[0]
		data, err := os.ReadFile(path)
		try(t, err)
		if torn {
			data = data[:len(data)-3]
		} else {
			data[len(data)/2] ^= 0x55
		}
		try(t, os.WriteFile(path, data, 0o600))
		for start := range 5 {
			s, notices := openNoticed(t, dir, idle)
			if start == 0 && len(notices) != 1 || start > 0 && len(notices) > 0 {
				t.Errorf("torn %v: start %d reports %q", torn, start, notices)
			}
			try(t, s.Close())
			if torn && start == 1 { // as if the first process had been killed before it cut the end off
				try(t, os.WriteFile(path, data, 0o600))
			}
		}
		if kept := files(t, dir, "damaged-*"); len(kept) != 1 {
			t.Errorf("torn %v: the damage is kept as %q", torn, kept)
		}
	}
}
