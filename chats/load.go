package chats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"inglenook/regular"
)

// errNewer: a later version of the program wrote the file.
var errNewer = errors.New("a newer version of Inglenook wrote them")

// loaded is the result of reading the files of a folder.
type loaded struct {
	state    state
	segments []segment
	size     int64 // of the last file, without damage at its end
	logged   int64 // bytes of the logs
	base     int64 // bytes of the base
	notices  []string
	damaged  bool // there is other damage, which a new base would drop
	stuck    bool // damage could not be copied aside, so its file has to stay
}

// load reads the conversations of a folder. A reader, which does not hold the
// lock, sees files that another process is writing: it copies nothing aside and
// does not report an unfinished end.
func load(dir string, reader bool) (loaded, error) {
	for try := 0; ; try++ {
		l, err := loadOnce(dir, reader)
		if errors.Is(err, fs.ErrNotExist) && try < 5 {
			continue // a base has just replaced that file
		}
		return l, err
	}
}

func loadOnce(dir string, reader bool) (loaded, error) {
	l := loaded{state: newState()}
	list, err := segments(dir)
	if err != nil {
		return l, err
	}
	l.segments = current(list)
	for i, s := range l.segments {
		if err := l.read(dir, s, reader, i == len(l.segments)-1); err != nil {
			return l, err
		}
	}
	for _, c := range l.state.conversations {
		c.settle(!reader)
	}
	l.state.shared = true
	return l, nil
}

// read applies the records of one segment.
func (l *loaded) read(dir string, s segment, reader, last bool) error {
	file, err := regular.Open(context.Background(), filepath.Join(dir, s.name()))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	frames := newFrameReader(file, info.Size())
	begun, err := frames.apply(&l.state)
	if err != nil {
		return err
	}
	if last && !s.base && !l.damaged && !l.stuck {
		frames.dropHalf(begun, &l.state)
	}
	l.size = frames.at
	if s.base {
		l.base = l.size
	} else {
		l.logged += l.size
	}
	if len(frames.damage) > 0 {
		l.report(file, s, frames, reader, last)
	}
	return nil
}

// apply applies all records of a file. Anything that is not a record counts as
// damage. It returns the creation that the records end with, if it has no head.
func (f *frameReader) apply(to *state) (begun creation, err error) {
	for payload := f.next(); payload != nil; payload = f.next() {
		switch v := versionOf(payload); {
		case v > version:
			return creation{}, errNewer
		case v > 0:
			begun.to = f.last.to // it belongs to the record that follows
		default:
			r := decode(payload)
			begun = begun.with(r, to, f.last)
			if r == nil || !r.apply(to) {
				f.lose(f.last)
			}
		}
	}
	return begun, f.scanner.Err()
}

// creation is the records of a conversation that is being created: all its messages
// come first, its head comes last. The zero creation is none.
type creation struct {
	conversation string
	extent
}

// with returns the creation that goes on with a record, which is not applied yet.
func (c creation) with(r record, to *state, at extent) creation {
	m, ok := r.(messageRecord)
	switch {
	case !ok:
		return creation{}
	case c.conversation == m.conversation && c.to == at.from:
		c.to = at.to
		return c
	case to.conversations[m.conversation] == nil && m.message.ID == 1:
		return creation{m.conversation, at}
	}
	return creation{}
}

// dropHalf drops a conversation if the program ended while it was writing it: its
// records, and perhaps a torn one, end the file, and nothing else is damaged. They
// count as a torn end.
func (f *frameReader) dropHalf(c creation, from *state) {
	torn := len(f.damage) == 1 && f.damage[0] == extent{c.to, f.at}
	if c.conversation == "" || len(f.damage) > 0 && !torn {
		return
	}
	delete(from.conversations, c.conversation)
	f.damage = []extent{{c.from, f.at}}
}

// report copies the damage of a file aside and adds a notice.
func (l *loaded) report(file *regular.File, s segment, frames *frameReader, reader, last bool) {
	damage := frames.damage
	end := damage[len(damage)-1]
	torn := last && !s.base && len(damage) == 1 && end.to == frames.at
	if reader {
		if !torn && !keptAlready(filepath.Dir(file.Name()), file, s, damage) {
			l.notices = append(l.notices, fmt.Sprintf("Some saved conversations cannot be read (%s).", amount(damage, s)))
		}
		return
	}
	what := "Some saved conversations could not be read"
	if torn {
		what = "Inglenook was interrupted while saving, so the end of a conversation may be missing"
	}
	kept, known, err := keepAside(filepath.Dir(file.Name()), file, s, damage)
	switch {
	case known: // an earlier start said so
	case err != nil:
		l.stuck = true
		l.notices = append(l.notices, fmt.Sprintf("%s (%s). The file stays where it is, because it could not be copied: %v. Everything else is there.", what, amount(damage, s), plain(err)))
		return
	default:
		l.notices = append(l.notices, fmt.Sprintf("%s (%s). The damaged part is kept as %s. Everything else is there.", what, amount(damage, s), kept))
	}
	if torn {
		l.size = end.from // the rest is cut off when the log is resumed
	} else {
		l.damaged = true
	}
}

func amount(damage []extent, s segment) string {
	bytes := int64(0)
	for _, e := range damage {
		bytes += e.to - e.from
	}
	if bytes == 1 {
		return "1 byte of " + s.name()
	}
	return fmt.Sprintf("%d bytes of %s", bytes, s.name())
}

// keepAside copies parts of a segment into a file of their own and returns its
// name. known tells that the copy existed already: an earlier run ended before a
// new base dropped the damage.
func keepAside(dir string, file io.ReaderAt, s segment, damage []extent) (name string, known bool, err error) {
	if keptAlready(dir, file, s, damage) {
		return "", true, nil
	}
	var aside *os.File
	for i := 1; ; i++ {
		name = asideName(s, damage, i)
		aside, err = os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", false, err
	}
	_, err = io.Copy(aside, damagedParts(file, damage))
	if err = errors.Join(err, aside.Sync(), aside.Close()); err != nil {
		os.Remove(aside.Name())
		return "", false, err
	}
	return name, false, nil
}

// asideName returns the name of the i-th file for damage of a segment at one
// position.
func asideName(s segment, damage []extent, i int) string {
	name := fmt.Sprintf("damaged-%s-%d", strings.ReplaceAll(s.name(), ".", "-"), damage[0].from)
	if i > 1 {
		name = fmt.Sprintf("%s-%d", name, i)
	}
	return name
}

func damagedParts(file io.ReaderAt, damage []extent) io.Reader {
	var parts []io.Reader
	for _, e := range damage {
		parts = append(parts, io.NewSectionReader(file, e.from, e.to-e.from))
	}
	return io.MultiReader(parts...)
}

// keptAlready reports whether one of the files for this damage has exactly these
// bytes.
func keptAlready(dir string, file io.ReaderAt, s segment, damage []extent) bool {
	for i := 1; ; i++ {
		aside, err := regular.Open(context.Background(), filepath.Join(dir, asideName(s, damage, i)))
		if err != nil {
			return false
		}
		same := sameBytes(aside, damagedParts(file, damage))
		aside.Close()
		if same {
			return true
		}
	}
}

// sameBytes reports whether two readers return the same bytes up to their ends.
func sameBytes(a, b io.Reader) bool {
	first, second := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errA := io.ReadFull(a, first)
		m, errB := io.ReadFull(b, second)
		if n != m || !bytes.Equal(first[:n], second[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return ended(errA) && ended(errB)
		}
	}
}

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// plain returns an error without the path, which the user knows already.
func plain(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}
