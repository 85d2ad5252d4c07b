// Package devices is the panel that tells what can compute here, and what it does now.
package devices
