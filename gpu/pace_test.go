package gpu

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	p := NewPace(1e12)
	if n := p.Piece(); n != 3e10 {
		t.Errorf("a piece gets %g", n)
	}
	p.Learn(1e6, time.Millisecond)
	if p.rate != 1e12 {
		t.Errorf("a small piece says %g", p.rate)
	}
	for range 50 { // a slow one
		p.Learn(p.Piece(), time.Duration(p.Piece()/1e9*float64(time.Second)))
	}
	if p.rate < 0.99e9 || p.rate > 1.01e9 {
		t.Errorf("learnt is %g, the GPU does 1e9", p.rate)
	}
	for range 200 {
		p.Learn(0, time.Hour)
	}
	if p.rate < slowest || p.Piece() <= 0 {
		t.Errorf("work of no size makes it %g", p.rate)
	}
	for range 50 { // after a stall it catches up
		p.Learn(p.Piece(), time.Duration(p.Piece()/1e12*float64(time.Second)))
	}
	if p.rate < 0.9e12 {
		t.Errorf("after a stall it stays at %g", p.rate)
	}
}
