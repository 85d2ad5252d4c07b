// Package filedialog asks for files and folders: by the system's own dialogs, and by the window's own
// where there are none.
package filedialog
