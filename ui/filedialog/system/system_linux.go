package system

import (
	"os"
	"strings"

	"github.com/godbus/dbus/v5"
)

// Choosers are the dialogs of a Linux desktop, the best first: its portal, then the program
// of this desktop, then that of the other one.
func Choosers(func(func())) []Chooser {
	own, other := Chooser(zenity{}), Chooser(kdialog{})
	if strings.Contains(strings.ToUpper(os.Getenv("XDG_CURRENT_DESKTOP")), "KDE") {
		own, other = other, own
	}
	return []Chooser{portal{dbus.SessionBusPrivateNoAutoStartup, patience}, own, other}
}
