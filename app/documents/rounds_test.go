//go:build !soak

package documents_test

func rounds() int { return 8 }
