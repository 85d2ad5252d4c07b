package metalbackend

import (
	"sync"

	"inglenook/metalbackend/objc"
)

// activityOptions is NSActivityUserInitiatedAllowingIdleSystemSleep.
const activityOptions = 0x00FFFFFF &^ (1 << 20)

// BeginActivity tells macOS that a person waits for the program's work, until end is
// called. Otherwise it slows down the program's timers and its use of the GPU as soon
// as no window of it is to be seen (App Nap). Screen and computer may go to sleep all
// the same.
func BeginActivity(rt objc.Runtime, reason string) (end func()) {
	defer rt.Pool()()
	process := objc.ID(rt.Send(rt.Class("NSProcessInfo"), rt.Sel("processInfo"))) // lives as long as the program
	activity := objc.ID(rt.Send(process, rt.Sel("beginActivityWithOptions:reason:"), activityOptions, uintptr(rt.String(reason))))
	rt.Send(activity, rt.Sel("retain"))
	return sync.OnceFunc(func() {
		defer rt.Pool()()
		rt.Send(process, rt.Sel("endActivity:"), uintptr(activity))
		rt.Send(activity, rt.Sel("release"))
	})
}
