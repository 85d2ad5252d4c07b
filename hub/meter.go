package hub

import (
	"strings"
	"sync"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/plain"
)

// meterEvery is the interval of progress reports, speedOver the period over which speed is
// measured.
const (
	meterEvery = 100 * time.Millisecond
	speedOver  = 5 * time.Second
)

// meter sums the progress of a download's files and reports it from one goroutine.
type meter struct {
	report func(Progress)
	total  int64
	ended  chan struct{}
	wg     sync.WaitGroup
	once   sync.Once

	mu      sync.Mutex
	p       Progress
	done    []int64
	waiting map[int]error
	until   time.Time
	marks   []mark
	patience
	moved   Progress  // when the last bytes arrived
	movedAt time.Time //
	working int       // files being worked on without needing bytes
}

// patience configures what a meter does when no bytes arrive.
type patience struct {
	host    string
	silent  time.Duration // time until it reports the silence
	trickle int64         // bytes in that time that do not count as progress
	wait    time.Duration // time until it gives up; 0: never
	giveUp  func(error)
}

// mark is how many bytes had arrived at a time.
type mark struct {
	at   time.Time
	came int64
}

func newMeter(j cache.Job, p patience, report func(Progress)) *meter {
	files := j.Unique()
	m := &meter{report: report, total: j.Bytes(), ended: make(chan struct{}), done: make([]int64, len(files)), waiting: map[int]error{}, patience: p, movedAt: time.Now()}
	if report == nil {
		m.report = func(Progress) {}
	}
	m.p = Progress{ID: j.ID, Revision: j.Revision, Commit: j.Commit, State: StateDownloading, Total: m.total, Files: len(files)}
	m.wg.Go(func() {
		tick := time.NewTicker(meterEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.report(m.now())
			case <-m.ended:
				m.report(m.now())
				return
			}
		}
	})
	return m
}

// show records how many bytes of file i are present, and how many have just arrived.
func (m *meter) show(i int, done, came int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.p.Done += done - m.done[i]
	m.done[i] = done
	m.p.Fetched += came
}

// setWaiting records why file i waits, nil if it does not, and until when.
func (m *meter) setWaiting(i int, why error, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why == nil {
		delete(m.waiting, i)
		return
	}
	m.waiting[i], m.until = why, until
}

// whole records that file i is complete and has its name.
func (m *meter) whole(i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.waiting, i)
	m.p.FilesDone++
}

// busy marks a file as being worked on until done is called.
func (m *meter) busy() (done func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.working++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.working--
	}
}

// still returns since when no progress was made, and how long that is. A trickle does not
// count, unless it completed a file.
func (m *meter) still(now time.Time) (since time.Time, long time.Duration) {
	came := max(m.p.Fetched-m.moved.Fetched, m.p.Done-m.moved.Done)
	trickle := m.trickle * int64(1+now.Sub(m.movedAt)/max(m.silent, 1))
	if m.working > 0 || came >= trickle || m.p.FilesDone > m.moved.FilesDone || m.p.Done < m.moved.Done {
		m.moved, m.movedAt = m.p, now
	}
	return m.movedAt, now.Sub(m.movedAt)
}

// now returns the current progress. The state is waiting if nothing has arrived since a file
// began to wait.
func (m *meter) now() Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if n := len(m.marks); n > 0 && m.marks[n-1].came < m.p.Fetched {
		clear(m.waiting) // a file has resumed
	}
	m.marks = append(m.marks, mark{now, m.p.Fetched})
	for len(m.marks) > 2 && now.Sub(m.marks[0].at) > speedOver {
		m.marks = m.marks[1:]
	}
	p := m.p
	first := m.marks[0]
	if spent := now.Sub(first.at); spent > 0 {
		p.Speed = max(0, float64(p.Fetched-first.came)/spent.Seconds())
	}
	if p.Speed > 1 && p.Done < p.Total {
		p.Left = time.Duration(float64(p.Total-p.Done) / p.Speed * float64(time.Second))
	}
	for _, why := range m.waiting {
		p.State, p.Why, p.Until = StateWaiting, why.Error(), m.until
	}
	since, long := m.still(now)
	if p.State != StateWaiting && long > m.silent {
		p.State, p.Why, p.Until = StateWaiting, "waiting for an answer of "+m.host, time.Time{}
	}
	if p.State == StateWaiting && long > m.silent {
		p.Why += "; nothing has come since " + since.Format(time.TimeOnly)
	}
	if m.wait > 0 && long > m.wait {
		reason := strings.TrimSuffix(p.Why, "; nothing has come since "+since.Format(time.TimeOnly))
		m.giveUp(fault.New(fault.ErrUnreachable, nil, "nothing has come for %s, so the download was left (%s); what came is kept, and the same command goes on there", plain.Duration(m.wait), reason))
	}
	return p
}

// stop sends the last report.
func (m *meter) stop() {
	m.once.Do(func() { close(m.ended) })
	m.wg.Wait()
}
