package chat

import (
	"context"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/firstmodel"
)

// App is what Chat asks of the application beside its conversations.
type App interface {
	firstmodel.App

	ReadText(ctx context.Context, path string) (string, error) // all of a text file
}

// Documents are what a conversation can ask. *documents.Service satisfies it.
type Documents interface {
	Collections(ctx context.Context) ([]documents.Collection, error)
	Text(ctx context.Context, path string) (text string, notes []string, err error) // of a file that is to be attached
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
	List(query string) ([]chat.Summary, error)
	Trash() []chat.Summary
	Conversation(id string) (chat.Conversation, error)
	New(x chat.Choices) (string, error)
	Rename(id, title string) error
	Pin(id string, pinned bool) error
	Duplicate(id string) (string, error)
	Delete(id string) error
	Restore(id string) error
	Purge(ids ...string) error
	DeleteMessage(id string, message int64) error
	RestoreMessage(id string, message int64) error
	SetLeaf(id string, message int64) error
	SetSystem(id, text string) error
	SetChoices(id string, x chat.Choices) error
	Edit(id string, message int64, text string, files []chat.Part) (int64, error)
	Export(id, format string) ([]byte, error)
	Import(data []byte) (ids []string, err error)
	AskedBy(collectionID, collectionName string) (chats int, err error)
}

// Presets keeps instructions and sampling under names.
type Presets interface {
	Presets() []base.Preset
	SavePreset(p base.Preset) error
	DeletePreset(name string) error
}

// Writer holds one language model and has it answer.
type Writer interface {
	Models(ctx context.Context) ([]chat.ModelChoice, error)
	Loaded() (chat.Loaded, bool)
	Load(ctx context.Context, x chat.Choices, report func(base.Progress)) error
	Unload()
	Meter(ctx context.Context, r chat.MeterRequest) (chat.Meter, error)
	Rooms(ctx context.Context, x chat.Choices) ([]chat.Room, error)
	Retrieve(ctx context.Context, r chat.RetrieveRequest) (chat.Retrieved, error)
	Found(ctx context.Context, passage chat.Part) (documents.Result, error) // again, to be shown in its document
	Answer(ctx context.Context, r chat.AnswerRequest, report func(chat.AnswerStep)) (chat.Message, error)
	AnswerTwice(ctx context.Context, r chat.TwiceRequest, report func(answer int, step chat.AnswerStep)) ([2]chat.Message, error)
}
