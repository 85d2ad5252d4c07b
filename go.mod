module inglenook

go 1.26

require (
	fyne.io/fyne/v2 v2.7.3
	github.com/adrg/xdg v0.5.3
	github.com/daulet/tokenizers v1.22.1
	github.com/dustin/go-humanize v1.0.1
)

require (
	github.com/gofrs/flock v0.13.1 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
