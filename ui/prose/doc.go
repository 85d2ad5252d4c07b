// Package prose draws Markdown as one text that a person can select across paragraphs,
// tables and code. It lays out and draws only what is in view, so a message may be long.
package prose
