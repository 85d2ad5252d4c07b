package ui

import "testing"

func TestMain(m *testing.M) { verify(m) }
