// Package devices is the page of Performance that tells what can compute here, and what it does now.
package devices
