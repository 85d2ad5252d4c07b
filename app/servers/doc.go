// Package servers keeps the engines elsewhere that a person added, and opens models of
// them: NAME/MODEL is a model of the server NAME.
//
// Texts are sent to a server only where somebody named one of its models. What is known
// of a server's models is kept in the settings, so that listing them needs no connection.
package servers
