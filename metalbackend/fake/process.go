package fake

// userInitiated is NSActivityUserInitiatedAllowingIdleSystemSleep, the one kind of
// activity that the host may begin.
const userInitiated = 0x00EFFFFF

// processInfo returns the one description of the program, which nobody owns.
func (f *Fake) processInfo(self *thing, _ []uintptr) uintptr {
	if classes[self.text] != processClass {
		f.problem("the class %s does not understand processInfo", self.text)
		return 0
	}
	if f.process == nil {
		f.process = f.things.add(processClass)
	}
	return uintptr(f.process.id)
}

func (f *Fake) beginActivity(_ *thing, words []uintptr) uintptr {
	if words[0] != userInitiated {
		f.problem("an activity begins with options %#x; those of work that a person waits for are %#x", words[0], userInitiated)
	}
	t := f.things.add(activityClass)
	t.number = underWay
	f.autorelease(t)
	return uintptr(t.id)
}

// underWay is the number of an activity that was not ended.
const underWay = 1

func (f *Fake) endActivity(_ *thing, words []uintptr) uintptr {
	t := f.object(words[0])
	if t.class != activityClass || t.number != underWay {
		f.problem("endActivity: gets a %s that is no activity under way", t.class)
		return 0
	}
	t.number = 0
	return 0
}
