package chat

import (
	"context"

	"inglenook/app"
)

// App is what Chat asks of the application beside its conversations.
type App interface {
	ReadText(path string) (string, error) // all of a text file
}

// Conversations are the application's conversations, and the models that answer in them.
type Conversations interface {
	Store
	Presets
	Writer
}

// Store keeps conversations. All of it is quick.
type Store interface {
	Notices() []string
	List(query string) ([]app.Summary, error)
	Trash() []app.Summary
	Conversation(id string) (app.Conversation, error)
	New(x app.TalkChoices) (string, error)
	Rename(id, title string) error
	Pin(id string, pinned bool) error
	Duplicate(id string) (string, error)
	Delete(id string) error
	Restore(id string) error
	DeleteMessage(id string, message int64) error
	RestoreMessage(id string, message int64) error
	SetLeaf(id string, message int64) error
	SetSystem(id, text string) error
	SetChoices(id string, x app.TalkChoices) error
	Edit(id string, message int64, text string) (int64, error)
	Export(id, format string) ([]byte, error)
	Import(data []byte) (ids []string, err error)
}

// Presets keeps instructions and sampling under names.
type Presets interface {
	Presets() []app.Preset
	SavePreset(p app.Preset) error
	DeletePreset(name string) error
}

// Writer holds one language model and has it answer.
type Writer interface {
	Models(ctx context.Context) ([]app.ModelChoice, error)
	Loaded() (app.Loaded, bool)
	Load(ctx context.Context, x app.TalkChoices, report func(app.Progress)) error
	Unload()
	Meter(ctx context.Context, r app.MeterRequest) (app.Meter, error)
	Answer(ctx context.Context, r app.AnswerRequest, report func(app.AnswerStep)) (app.ChatMessage, error)
}
