package chattemplate

import (
	"errors"
	"fmt"
	"io"

	"inglenook/jinja"
)

// Conversation is what a chat template renders. Messages, tools and documents
// keep the form in which they were given, since templates look into them.
type Conversation struct {
	Messages  *jinja.List // of dicts with "role", "content", …
	Tools     any         // a list of JSON schemas; nil = none
	Documents any         // nil = none

	// AddGenerationPrompt ends the prompt where the answer begins.
	AddGenerationPrompt bool

	// Extra are further variables, such as enable_thinking.
	Extra map[string]any
}

// ReadConversation reads JSON: a list of messages [{"role","content"}…], or an
// object {"messages": […], "tools": […], "add_generation_prompt": true, …} whose
// other keys become variables of the template. A generation prompt is added
// unless the JSON says otherwise.
func ReadConversation(r io.Reader) (Conversation, error) {
	c := Conversation{AddGenerationPrompt: true, Extra: map[string]any{}}
	v, err := jinja.FromJSON(r)
	if err != nil {
		return c, fmt.Errorf("the messages are not JSON (%w); give a list such as [{\"role\": \"user\", \"content\": \"Hello\"}]", err)
	}
	messages := v
	if object, ok := v.(*jinja.Dict); ok {
		messages, _ = object.Get("messages")
		for _, key := range object.Keys() {
			value, _ := object.Get(key)
			switch key {
			case "messages":
			case "tools":
				c.Tools = value
			case "documents":
				c.Documents = value
			case "add_generation_prompt":
				if c.AddGenerationPrompt, ok = value.(bool); !ok {
					return c, errors.New("add_generation_prompt must be true or false")
				}
			default:
				c.Extra[key] = value
			}
		}
	}
	list, ok := messages.(*jinja.List)
	if !ok {
		return c, errors.New("the JSON holds no messages; give a list such as [{\"role\": \"user\", \"content\": \"Hello\"}], or an object with such a list under \"messages\"")
	}
	return c, c.setMessages(list)
}

// setMessages prepares the messages as the reference does.
func (c *Conversation) setMessages(list *jinja.List) error {
	if len(list.Items) == 0 {
		return errors.New("the conversation is empty; give at least one message")
	}
	c.Messages = &jinja.List{}
	for i, item := range list.Items {
		message, ok := item.(*jinja.Dict)
		if !ok {
			return fmt.Errorf("message %d is no object; each message looks like {\"role\": \"user\", \"content\": \"Hello\"}", i+1)
		}
		if role, _ := message.Get("role"); role == nil || role == "" {
			return fmt.Errorf("message %d has no role; give one of \"system\", \"user\" and \"assistant\"", i+1)
		}
		c.Messages.Items = append(c.Messages.Items, PrepareMessage(message))
	}
	return nil
}

// PrepareMessage returns a message without the keys that have no value, and with its
// thoughts under each name that templates look for.
func PrepareMessage(message *jinja.Dict) *jinja.Dict {
	var thoughts any
	for _, key := range []string{"reasoning_content", "thinking", "reasoning"} {
		if v, _ := message.Get(key); v != nil && thoughts == nil {
			thoughts = v
		}
	}
	out := jinja.NewDict()
	if thoughts != nil {
		out.Set("thinking", thoughts)
	}
	for _, key := range message.Keys() {
		if v, _ := message.Get(key); v != nil {
			out.Set(key, v)
		}
	}
	if thoughts != nil {
		out.Set("reasoning_content", thoughts)
	}
	return out
}

// vars returns the variables of the template, under the names that the
// reference library gives them. tools and documents are always among them; they
// are None if the conversation has none.
func (c Conversation) vars(tokens map[string]any) map[string]any {
	vars := map[string]any{}
	for _, from := range []map[string]any{tokens, c.Extra} {
		for name, v := range from {
			vars[name] = v
		}
	}
	if think, ok := vars["enable_thinking"]; ok && vars["thinking"] == nil {
		vars["thinking"] = think // its older name
	}
	vars["messages"] = c.Messages
	vars["tools"] = c.Tools
	vars["documents"] = c.Documents
	vars["add_generation_prompt"] = c.AddGenerationPrompt
	return vars
}

// mapStrings returns the conversation with f applied to all its texts.
func (c Conversation) mapStrings(f func(string) string) Conversation {
	out := c
	out.Messages = jinja.MapStrings(c.Messages, f).(*jinja.List)
	out.Tools = jinja.MapStrings(c.Tools, f)
	out.Documents = jinja.MapStrings(c.Documents, f)
	out.Extra = map[string]any{}
	for name, v := range c.Extra {
		out.Extra[name] = jinja.MapStrings(v, f)
	}
	return out
}
