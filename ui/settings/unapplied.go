package settings

// Unapplied names what is typed and not applied, as "the proxy".
func (p *Panel) Unapplied() []string {
	return append(p.network.unapplied(), p.server.unapplied()...)
}

// Apply applies what is typed. Its tab shows what is refused.
func (p *Panel) Apply() {
	switch {
	case len(p.network.unapplied()) > 0:
		p.turnTo(sectionConnections)
	case len(p.server.unapplied()) > 0:
		p.turnTo(sectionPrograms)
	}
	if len(p.network.unapplied()) > 0 {
		p.network.save()
	}
	if len(p.server.unapplied()) > 0 {
		p.server.keepPort()
	}
}

func (p *Panel) turnTo(tab int) {
	p.sections.clear()
	p.sections.tabs.Pick(tab)
}
