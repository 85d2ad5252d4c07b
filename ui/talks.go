package ui

import (
	"context"

	"inglenook/app"
)

// Talks is what the Chat room asks of the application's conversations.
// *app.ChatService satisfies it. What takes no context is quick.
type Talks interface {
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

	Presets() []app.Preset
	SavePreset(p app.Preset) error
	DeletePreset(name string) error

	Models(ctx context.Context) ([]app.ModelChoice, error)
	Loaded() (app.Loaded, bool)
	Load(ctx context.Context, x app.TalkChoices, report func(app.Progress)) error
	Unload()
	Meter(ctx context.Context, r app.MeterRequest) (app.Meter, error)
	Answer(ctx context.Context, r app.AnswerRequest, report func(app.AnswerStep)) (app.ChatMessage, error)
}
