package ui

import (
	"inglenook/ui/chat"
	"inglenook/ui/devices"
	"inglenook/ui/models"
	"inglenook/ui/panel"
	"inglenook/ui/performance"
	"inglenook/ui/settings"
	"inglenook/ui/similarity"
)

// App is what the window asks of the application: what its panels ask, and a little
// more. *app.App satisfies it.
type App interface {
	panel.App
	chat.App
	models.App
	similarity.App
	performance.App
	devices.App
	settings.App

	Notices() []string // what went wrong at the start, in sentences
}

// Talks is what Chat asks of the application's conversations. *app.ChatService satisfies it.
type Talks = chat.Conversations
