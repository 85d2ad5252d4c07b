package markdown

// Dump writes a tree out, for tests outside of the package.
var Dump = dump
