package devices

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// trial is the mark that a device leaves in a file while it works. A GPU's driver
// can fail in a way that is no error: it ends the program. Then the mark stays. The
// next start finds it and leaves the device alone, until a person has it tried again
// or the program or the system is another one.
type trial struct {
	folder, id string
	key        string // the program and the system

	mu   sync.Mutex
	file *os.File // of this process, locked; nil before the first work
	base stage    // what is under way besides passes of models
}

// stage is what a device does, as its first byte in the file.
type stage byte

const (
	idle   stage = '0'
	inOpen stage = 'o'
	inTest stage = 't'
	inPass stage = 'c'
)

func (s stage) String() string {
	switch s {
	case inOpen:
		return "while it opened the device"
	case inTest:
		return "while it tested the device"
	}
	return "while the device computed"
}

func newTrial(folder, id, system string) *trial {
	return &trial{folder: folder, id: id, key: Program() + " " + system, base: idle}
}

func (t *trial) pattern() string { return filepath.Join(t.folder, "trial-"+t.id+"-[0-9]*") }

func (t *trial) kept() string { return filepath.Join(t.folder, "trial-"+t.id+".left") }

// left returns one sentence if the program ended while it worked with the device.
func (t *trial) left() error {
	if t == nil {
		return nil
	}
	names, _ := filepath.Glob(t.pattern()) // the pattern is in order
	for _, name := range names {
		t.judge(name)
	}
	at, why, ok := t.read(t.kept())
	if !ok {
		return nil
	}
	return &leftError{t.id, at, why}
}

// leftError says that a device is left alone.
type leftError struct {
	id  string
	at  stage
	why string // how the process ended, where that is known
}

func (e *leftError) Error() string {
	why := ""
	if e.why != "" {
		why = " (" + e.why + ")"
	}
	return fmt.Sprintf("the program ended %s%s, so the device is left alone; to try it again, press Try again under Performance, “This computer”, or run inglenook devices --try %s", e.at, why, e.id)
}

// because keeps how a process ended that tried the device, beside the mark that it
// left; or without one, where it was ended before it could leave any.
func (t *trial) because(why string) {
	if t.left() == nil {
		_ = os.WriteFile(t.kept(), append([]byte{byte(inOpen)}, t.key...), 0o600) // else the device is tried again
	}
	f, err := os.OpenFile(t.kept(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString("\n" + why)
}

// judge looks at the mark of one process, unless that still runs.
func (t *trial) judge(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return
	}
	if at, _, ok := t.read(name); ok && at != idle {
		_ = os.Rename(name, t.kept()) // else the next start sees it
		return
	}
	_ = os.Remove(name)
}

// read returns what a file says, if it is of this program on this system.
func (t *trial) read(name string) (at stage, why string, ok bool) {
	data, err := os.ReadFile(name)
	if err != nil || len(data) == 0 {
		return 0, "", false
	}
	key, why, _ := strings.Cut(string(data[1:]), "\n")
	return stage(data[0]), why, key == t.key
}

// during marks a stage as long as do runs.
func (t *trial) during(s stage, do func()) {
	if t == nil {
		do()
		return
	}
	t.set(s)
	defer t.set(idle)
	do()
}

// set changes what is under way besides passes.
func (t *trial) set(s stage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.base = s
	t.write(s)
}

// pass marks the passes of models, whose begin and end the device's guard tells.
func (t *trial) pass(working bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if working && t.base == idle {
		t.write(inPass)
	} else {
		t.write(t.base)
	}
}

// write changes the mark. It stays where the program ends, but not where the whole
// computer does. Without a file the device works unmarked.
func (t *trial) write(s stage) {
	if t.file == nil {
		if os.MkdirAll(t.folder, 0o700) != nil {
			return
		}
		f, err := os.CreateTemp(t.folder, "trial-"+t.id+"-*")
		if err != nil {
			return
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
			_ = f.Close()
			return
		}
		_, _ = f.WriteAt(append([]byte{byte(s)}, t.key...), 0)
		t.file = f
		return
	}
	_, _ = t.file.WriteAt([]byte{byte(s)}, 0)
}

// close takes the mark away: the program ends in order.
func (t *trial) close() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		_ = os.Remove(t.file.Name())
		_ = t.file.Close()
		t.file = nil
	}
}

// forget allows the device to be tried again.
func (t *trial) forget() error {
	if t == nil {
		return nil
	}
	if err := os.Remove(t.kept()); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("forget how the device ended: %w", err)
	}
	return nil
}
