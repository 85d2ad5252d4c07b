package classify

import (
	"testing"

	"inglenook/ui/uitest"
)

func TestMain(m *testing.M) { uitest.Main(m) }
