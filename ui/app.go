package ui

// App is what the window asks of the application: what its panels ask, and a little
// more. *app.App satisfies it.
type App interface {
	commonApp
	chatApp
	modelsApp
	similarityApp
	performanceApp
	devicesApp
	settingsApp

	Notices() []string // what went wrong at the start, in sentences
}

// Talks is what Chat asks of the application's conversations. *app.Talks satisfies it.
type Talks = chatTalks
