package engine

import (
	"slices"
	"testing"
)

// Buckets of the distances -600 to 600 by the reference library
// (transformers, MPNetEncoder.relative_position_bucket; T5's bidirectional
// buckets are the same), as runs of equal buckets: bucket, count, bucket, count …
var bucketTables = []struct {
	buckets, maxDistance int
	runs                 []int
}{
	{32, 128, []int{
		15, 510, 14, 27, 13, 18, 12, 14, 11, 9, 10, 7, 9, 4, 8, 4, 7, 1, 6, 1, 5, 1,
		4, 1, 3, 1, 2, 1, 1, 1, 0, 1, 17, 1, 18, 1, 19, 1, 20, 1, 21, 1, 22, 1,
		23, 1, 24, 4, 25, 4, 26, 7, 27, 9, 28, 14, 29, 18, 30, 27, 31, 510,
	}},
	{16, 64, []int{
		7, 569, 6, 16, 5, 8, 4, 4, 3, 1, 2, 1, 1, 1, 0, 1, 9, 1, 10, 1, 11, 1,
		12, 4, 13, 8, 14, 16, 15, 569,
	}},
	{20, 8, []int{
		9, 593, 8, 1, 6, 1, 5, 1, 4, 1, 3, 1, 2, 1, 1, 1, 0, 1, 11, 1, 12, 1,
		13, 1, 14, 1, 15, 1, 16, 1, 18, 1, 19, 593,
	}},
	{32, 256, []int{
		15, 435, 14, 58, 13, 38, 12, 24, 11, 16, 10, 10, 9, 7, 8, 5, 7, 1, 6, 1, 5, 1,
		4, 1, 3, 1, 2, 1, 1, 1, 0, 1, 17, 1, 18, 1, 19, 1, 20, 1, 21, 1, 22, 1,
		23, 1, 24, 5, 25, 7, 26, 10, 27, 16, 28, 24, 29, 38, 30, 58, 31, 435,
	}},
	{64, 512, []int{
		31, 188, 30, 81, 29, 64, 28, 52, 27, 42, 26, 34, 25, 27, 24, 22, 23, 18, 22, 14, 21, 11,
		20, 9, 19, 8, 18, 6, 17, 5, 16, 4, 15, 1, 14, 1, 13, 1, 12, 1, 11, 1, 10, 1,
		9, 1, 8, 1, 7, 1, 6, 1, 5, 1, 4, 1, 3, 1, 2, 1, 1, 1, 0, 1, 33, 1,
		34, 1, 35, 1, 36, 1, 37, 1, 38, 1, 39, 1, 40, 1, 41, 1, 42, 1, 43, 1, 44, 1,
		45, 1, 46, 1, 47, 1, 48, 4, 49, 5, 50, 6, 51, 8, 52, 9, 53, 11, 54, 14, 55, 18,
		56, 22, 57, 27, 58, 34, 59, 42, 60, 52, 61, 64, 62, 81, 63, 188,
	}},
	{24, 100, []int{
		11, 538, 10, 23, 9, 15, 8, 9, 7, 6, 6, 4, 5, 1, 4, 1, 3, 1, 2, 1, 1, 1,
		0, 1, 13, 1, 14, 1, 15, 1, 16, 1, 17, 1, 18, 4, 19, 6, 20, 9, 21, 15, 22, 23,
		23, 538,
	}},
	{4, 2, []int{
		1, 600, 0, 1, 3, 600,
	}},
}

func TestRelativeBucket(t *testing.T) {
	for _, table := range bucketTables {
		distance := -600
		for run := range slices.Chunk(table.runs, 2) {
			bucket, count := run[0], run[1]
			for range count {
				if got := RelativeBucket(distance, table.buckets, table.maxDistance); got != bucket {
					t.Errorf("%d buckets to %d: distance %d is in bucket %d, want %d",
						table.buckets, table.maxDistance, distance, got, bucket)
				}
				distance++
			}
		}
		if distance != 601 {
			t.Errorf("%d buckets to %d: the table ends before distance %d", table.buckets, table.maxDistance, distance)
		}
	}
}

// Whatever the sizes, every bucket is a row of the table.
func TestRelativeBucketStaysInTable(t *testing.T) {
	for buckets := 4; buckets <= 70; buckets += 2 {
		for maxDistance := buckets/4 + 1; maxDistance < 200; maxDistance += 7 {
			for _, distance := range []int{-1 << 31, -100000, -129, -1, 0, 1, 7, 128, 100000, 1<<31 - 1} {
				if b := RelativeBucket(distance, buckets, maxDistance); b < 0 || b >= buckets {
					t.Fatalf("%d buckets to %d: distance %d is in bucket %d", buckets, maxDistance, distance, b)
				}
			}
		}
	}
}
