// Package pieces reads the answers of servers that write: the events in which they come, what each
// says, and the calls of tools that are spread over them. It knows the forms of OpenAI and of Ollama.
// It opens no connection, and gives what a server says as it is: callers shorten it, and take secrets out.
package pieces
