package devices

import (
	"strings"
	"testing"
	"time"

	"inglenook/ui/uitest"
)

// The monitor reads only while it is in view.
func TestMonitorReadsWhileInView(t *testing.T) {
	d := uitest.NewApp()
	b := uitest.NewStage(t, d)
	p := New(b.Host, d)
	b.Put(p)
	p.monitor.every = time.Millisecond
	p.Enter()
	b.Loop.Until(t, "readings", func() bool { return len(p.monitor.readings) == monitorPoints })
	if got := p.monitor.cpu.Lines[1].Values; got[monitorPoints-1] < 39.9 || got[monitorPoints-1] > 40.1 {
		t.Errorf("all programs take %v %%", got[monitorPoints-1])
	}
	if got := p.monitor.memory.Lines; len(got) != 2 || got[0].Values[monitorPoints-1] != 100 || got[1].Values[0] != 30 {
		t.Errorf("memory: %+v", got)
	}
	text := uitest.AllText(p.monitor.view)
	for _, want := range []string{"now 100 MiB · 30 MiB of it on Metal", "now 5.0 GiB", "all programs 40 %", "chat · org/writer: Metal 98 %, CPU 2 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("the monitor lacks %q: %q", want, text)
		}
	}
	p.Leave()
	b.Busy.Wait() // no goroutine is left
	d.Mu.Lock()
	before := d.Measured.Usages
	d.Mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Measured.Usages != before {
		t.Error("it goes on reading")
	}
}
