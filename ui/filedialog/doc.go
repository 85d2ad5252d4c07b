// Package filedialog asks for files and folders: by the system's own dialogs, and by Fyne's
// where there are none.
package filedialog
