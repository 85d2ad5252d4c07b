package ui

import (
	"inglenook/ui/uitest"
	"testing"
)

func TestMain(m *testing.M) { uitest.Main(m) }
