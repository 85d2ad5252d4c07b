package chart

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

func TestScale(t *testing.T) {
	for _, isDark := range []bool{false, true} {
		s := NewScale([][]float32{{1, -0.04}, {-0.04, 1}}, isDark)
		if s.lo != -0.1 || s.hi != 1 {
			t.Errorf("the scale spans %v to %v", s.lo, s.hi)
		}
		for i, c := range s.colors {
			if kit.Contrast(ink(c), c) < 4.5 {
				t.Errorf("a value on colour %d has a contrast of %.2f", i, kit.Contrast(ink(c), c))
			}
			if i == 0 {
				continue
			}
			if brighter := kit.Luminance(c) > kit.Luminance(s.colors[i-1]); kit.Luminance(c) != kit.Luminance(s.colors[i-1]) && brighter != isDark {
				t.Errorf("colour %d goes the wrong way", i)
			}
		}
		if s.at(2) != s.at(1) || s.at(float32(math.Inf(-1))) != s.at(-0.1) {
			t.Error("values outside have no colour")
		}
	}
	if s := NewScale([][]float32{{1, 0.7}}, false); s.lo != 0.7 {
		t.Errorf("from 0.7 on, the scale begins at %v", s.lo)
	}
	if s := NewScale([][]float32{{1, 1}}, false); s.hi-s.lo < 0.09 {
		t.Error("the scale of equal texts has no width")
	}
}

func TestLabelsDoNotOverlap(t *testing.T) {
	p := &labelPlacer{area: box{0, 0, 400, 300}}
	var points []fyne.Position
	for i := range 60 {
		at := fyne.NewPos(float32(i*53%400), float32(i*97%300))
		points = append(points, at)
		p.points = append(p.points, around(at, pointRadius))
	}
	placed := 0
	for _, at := range points {
		if _, ok := p.place(at, fyne.NewSize(60, 14)); ok {
			placed++
		}
	}
	if placed < 10 {
		t.Errorf("only %d of 60 labels found a place", placed)
	}
	for i, a := range p.placed {
		if !a.within(p.area) {
			t.Errorf("label %d is outside", i)
		}
		for j, b := range p.placed {
			if i != j && a.overlaps(b) {
				t.Errorf("labels %d and %d overlap", i, j)
			}
		}
	}
}
