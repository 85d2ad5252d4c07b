package ui

import (
	"strings"
	"testing"
	"time"
)

// The monitor reads while it is in view, and not a moment longer.
func TestMonitorReadsWhileInView(t *testing.T) {
	d := newDouble()
	b := newStage(t, d)
	p := newDevicesPanel(b.host, d)
	b.put(p)
	p.monitor.every = time.Millisecond
	p.enter()
	b.loop.until(t, "readings", func() bool { return len(p.monitor.readings) == monitorPoints })
	if got := p.monitor.cpu.lines[1].values; got[monitorPoints-1] < 39.9 || got[monitorPoints-1] > 40.1 {
		t.Errorf("all programs take %v %%", got[monitorPoints-1])
	}
	if got := p.monitor.memory.lines; len(got) != 2 || got[0].values[monitorPoints-1] != 100 || got[1].values[0] != 30 {
		t.Errorf("memory: %+v", got)
	}
	text := allText(p.monitor.view)
	for _, want := range []string{"now 100 MiB · 30 MiB of it on Metal", "now 5.0 GiB", "all programs 40 %", "chat · org/writer: Metal 98 %, CPU 2 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("the monitor lacks %q: %q", want, text)
		}
	}
	p.leave()
	b.busy.Wait() // nothing is left that would not end
	d.mu.Lock()
	before := d.measured.usages
	d.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.measured.usages != before {
		t.Error("it goes on reading")
	}
}
