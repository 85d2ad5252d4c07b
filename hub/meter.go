package hub

import (
	"sync"
	"time"
)

// meterEvery is how often progress is reported, speedOver the time that speed is taken over.
const (
	meterEvery = 100 * time.Millisecond
	speedOver  = 5 * time.Second
)

// meter adds up how far the files of a download are and reports it from one goroutine.
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
}

// mark is how much had come at a time.
type mark struct {
	at   time.Time
	came int64
}

func newMeter(j job, report func(Progress)) *meter {
	files := j.unique()
	m := &meter{report: report, total: j.bytes(), ended: make(chan struct{}), done: make([]int64, len(files)), waiting: map[int]error{}}
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

// show notes how many bytes of file i are there, and how many came just now.
func (m *meter) show(i int, done, came int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.p.Done += done - m.done[i]
	m.done[i] = done
	m.p.Fetched += came
}

// say notes what file i waits for; nil: nothing.
func (m *meter) say(i int, why error, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why == nil {
		delete(m.waiting, i)
		return
	}
	m.waiting[i], m.until = why, until
}

// whole notes that file i has its name.
func (m *meter) whole(i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.waiting, i)
	m.p.FilesDone++
}

// now is the progress at this moment. It waits when nothing came since it began to.
func (m *meter) now() Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if n := len(m.marks); n > 0 && m.marks[n-1].came < m.p.Fetched {
		clear(m.waiting) // some file goes on
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
	return p
}

// stop reports a last time.
func (m *meter) stop() {
	m.once.Do(func() { close(m.ended) })
	m.wg.Wait()
}
