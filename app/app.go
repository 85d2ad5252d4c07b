package app

// App is the application. Its methods may be called from any goroutine.
type App struct{ settings *settingsStore }
