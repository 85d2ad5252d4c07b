// Package tools runs what language models ask for: tools of servers that a person added
// (Model Context Protocol), started as a command or reached at an address.
//
// Nothing runs by itself. A person adds each server, a chat asks for tools only where
// that is switched on, and [Service.Allowed] says whether a call may run without a
// question. What a server sends is data: names, descriptions and results are cut to
// limits, and hidden characters in them are made visible. A server that hangs, ends or
// floods ends in a sentence, which the model gets as the result of its call.
package tools
