package fake

import (
	"slices"
	"strings"
	"time"

	"inglenook/gpu"
)

// The states of a command buffer, MTLCommandBufferStatus.
const (
	notCommitted = 0
	committed    = 2
	completed    = 4
	failed       = 5
)

// command is a command buffer's state. Its memory is reused.
type command struct {
	status   int
	encoding bool
	hangs    bool
	reason   string // why it failed
	code     int    // MTLCommandBufferError
	began    time.Time
	ended    time.Time

	launches []launch
	slots    []slot   // of all launches
	bytes    []byte   // copied by setBytes
	held     []*thing // buffers and pipelines that must live until it is done
}

// launch is a dispatch as encoded.
type launch struct {
	function        *function
	groups, threads [3]uint32
	first           int // of its slots, one a buffer of the function
	shared          [maxShared]uint32
}

// hold retains an object until the command buffer is done.
func (c *command) hold(t *thing) {
	t.refs++
	c.held = append(c.held, t)
}

func (f *Fake) commandBuffer(_ *thing, _ []uintptr) uintptr {
	if f.due(NilCommandBuffer) != nil {
		return 0
	}
	var c *command
	if n := len(f.spareCommands); n > 0 {
		c = f.spareCommands[n-1]
		f.spareCommands = f.spareCommands[:n-1]
		*c = command{launches: c.launches[:0], slots: c.slots[:0], bytes: c.bytes[:0], held: c.held[:0]}
	} else {
		c = &command{}
	}
	t := f.things.add(commandClass)
	t.command = c
	f.autorelease(t)
	return uintptr(t.id)
}

func (f *Fake) freeCommand(c *command) {
	if c.encoding {
		f.problem("a command buffer was dropped with an open encoder")
	}
	if c.status == committed {
		return // still in the queue
	}
	f.letGo(c)
	f.spareCommands = append(f.spareCommands, c)
}

func (f *Fake) letGo(c *command) {
	for _, t := range c.held {
		f.drop(t)
	}
	clear(c.held)
	c.held = c.held[:0]
}

func (f *Fake) commit(self *thing, _ []uintptr) uintptr {
	c := self.command
	switch {
	case c.encoding:
		f.problem("commit with an open encoder")
		return 0
	case c.status != notCommitted:
		f.problem("commit twice")
		return 0
	}
	c.status = committed
	f.stats.Commands++
	if fault := f.due(FailCommand); fault != nil {
		c.code, c.reason = fault.Code, fault.reason()
	}
	c.hangs = f.due(Hang) != nil
	f.committed = append(f.committed, c)
	return 0
}

func (f *Fake) commandError(self *thing, _ []uintptr) uintptr {
	if self.command.status != failed {
		return 0
	}
	t := f.things.add(errorClass)
	t.text, t.number = self.command.reason, self.command.code
	f.autorelease(t)
	return uintptr(t.id)
}

// wait is waitUntilCompleted: it runs what was committed, in order, up to c.
func (f *Fake) wait(c *command) {
	f.running.Lock()
	defer f.running.Unlock()
	for {
		f.mu.Lock()
		if c.status == notCommitted {
			f.problem("waitUntilCompleted before commit")
		}
		if c.status != committed {
			f.mu.Unlock()
			return
		}
		next := f.committed[0]
		f.mu.Unlock()
		if next.hangs {
			<-f.hang
			next.reason = "the runtime was closed"
		}
		began := time.Now()
		f.finish(next, f.execute(next), began)
	}
}

// finish records the end of the oldest command buffer.
func (f *Fake) finish(c *command, err error, began time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.committed = slices.Delete(f.committed, 0, 1)
	if err != nil {
		f.problem("%v", err)
	}
	if c.reason == "" && len(f.problems) > 0 {
		c.reason = strings.Join(f.problems, "; ")
	}
	c.status, c.began, c.ended = completed, began, time.Now()
	if c.reason != "" {
		c.status = failed
	}
	f.letGo(c)
}

// execute runs the launches of a command buffer, to which it has exclusive
// access.
func (f *Fake) execute(c *command) error {
	if c.reason != "" {
		return nil
	}
	for i := range c.launches {
		l := f.prepare(c, &c.launches[i])
		if f.o.Executor != nil {
			if err := f.o.Executor.Run(l); err != nil {
				return err
			}
		}
		f.spoil(c.launches[i].function, l)
	}
	return nil
}

// prepare converts a launch to the executor's form.
func (f *Fake) prepare(c *command, one *launch) *gpu.Launch {
	l := &f.launch
	l.Kernel, l.Constants, l.Groups, l.Threads = one.function.kernel.Name, one.function.constants, one.groups, one.threads
	l.Buffers, l.Shared = l.Buffers[:0], l.Shared[:0]
	for i, n := range one.function.buffers {
		for len(l.Buffers) <= n.index {
			l.Buffers = append(l.Buffers, nil)
		}
		s := &c.slots[one.first+i]
		from := c.bytes
		if s.buffer != nil {
			from = s.buffer.memory
		}
		l.Buffers[n.index] = from[s.from:][:s.length:s.length]
	}
	for _, index := range one.function.shared {
		for len(l.Shared) <= index {
			l.Shared = append(l.Shared, 0)
		}
		l.Shared[index] = one.shared[index]
	}
	return l
}
