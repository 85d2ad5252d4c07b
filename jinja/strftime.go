package jinja

import (
	"fmt"
	"strings"
	"time"
)

// strftime formats a time as C does in the locale "C".
func strftime(t time.Time, format string) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		bare := format[i] == '-' && i+1 < len(format) // %-d: without leading zeros
		if bare {
			i++
		}
		write, ok := directives[format[i]]
		if !ok {
			b.WriteString(format[i-1-btoi(bare) : i+1])
			continue
		}
		text := write(t)
		if bare {
			if text = strings.TrimLeft(text, "0 "); text == "" {
				text = "0"
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

func layout(s string) func(time.Time) string { return func(t time.Time) string { return t.Format(s) } }

func padded(format string, f func(time.Time) int) func(time.Time) string {
	return func(t time.Time) string { return fmt.Sprintf(format, f(t)) }
}

var directives = map[byte]func(time.Time) string{
	'Y': padded("%d", time.Time.Year),
	'C': padded("%02d", func(t time.Time) int { return t.Year() / 100 }),
	'y': layout("06"),
	'm': layout("01"),
	'd': layout("02"),
	'e': layout("_2"),
	'H': layout("15"),
	'k': padded("%2d", time.Time.Hour),
	'I': layout("03"),
	'l': padded("%2d", func(t time.Time) int { return (t.Hour()+11)%12 + 1 }),
	'M': layout("04"),
	'S': layout("05"),
	'f': padded("%06d", func(t time.Time) int { return t.Nanosecond() / 1000 }),
	'p': layout("PM"),
	'P': layout("pm"),
	'A': layout("Monday"),
	'a': layout("Mon"),
	'B': layout("January"),
	'b': layout("Jan"),
	'h': layout("Jan"),
	'j': layout("002"),
	'w': padded("%d", func(t time.Time) int { return int(t.Weekday()) }),
	'u': padded("%d", func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }),
	'U': padded("%02d", func(t time.Time) int { return (t.YearDay() + 6 - int(t.Weekday())) / 7 }),
	'W': padded("%02d", func(t time.Time) int { return (t.YearDay() + 6 - (int(t.Weekday())+6)%7) / 7 }),
	'G': padded("%d", func(t time.Time) int { year, _ := t.ISOWeek(); return year }),
	'V': padded("%02d", func(t time.Time) int { _, week := t.ISOWeek(); return week }),
	'c': layout("Mon Jan _2 15:04:05 2006"),
	'x': layout("01/02/06"),
	'X': layout("15:04:05"),
	'D': layout("01/02/06"),
	'F': layout("2006-01-02"),
	'T': layout("15:04:05"),
	'R': layout("15:04"),
	'r': layout("03:04:05 PM"),
	's': func(t time.Time) string { return fmt.Sprint(t.Unix()) },
	'z': func(time.Time) string { return "" }, // the Python clock used here has no time zone
	'Z': func(time.Time) string { return "" },
	'n': func(time.Time) string { return "\n" },
	't': func(time.Time) string { return "\t" },
	'%': func(time.Time) string { return "%" },
}
