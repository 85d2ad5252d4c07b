package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestSegmentsOfOddLengths: a long name takes from the room around short ones before it is
// cut, a tap chooses the option that is drawn there, and options are equally wide where all
// have room.
func TestSegmentsOfOddLengths(t *testing.T) {
	test.NewTempApp(t)
	names := []string{"Meaning and words", "Meaning", "Words"}
	s := NewSegments(nil, names, func(int) {})
	test.NewTempWindow(t, s)
	var all float32
	for _, n := range names {
		all += nameWidth(n)
	}
	for _, width := range []float32{40, all - 20, all + 6, all + 20, 3*nameWidth(names[0]) + 6, 900} {
		s.Resize(fyne.NewSize(width, 30))
		r := test.WidgetRenderer(s).(*segmentsRenderer)
		for i, line := range r.texts {
			s.Index = (i + 1) % len(names)
			s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(line.Position().X+line.Size().Width/2, 10)})
			if s.Index != i {
				t.Errorf("width %v: a tap on %q chooses %q", width, names[i], names[s.Index])
			}
			need := fyne.MeasureText(names[i], TextBody, fyne.TextStyle{Bold: true}).Width
			if width >= all+6 && line.Size().Width < need {
				t.Errorf("width %v: %q has %v of %v", width, names[i], line.Size().Width, need)
			}
		}
		if width >= 3*nameWidth(names[0])+6 && r.texts[0].Size() != r.texts[2].Size() {
			t.Errorf("width %v: the options are not equally wide", width)
		}
		if end := r.texts[2].Position().X + r.texts[2].Size().Width; end > width {
			t.Errorf("width %v: the options end at %v", width, end)
		}
	}
}
