package markdown

// languages maps the supported names after a fence, in lower case, to names of
// lexers.
var languages = map[string]string{
	"bash": "Bash", "sh": "Bash", "shell": "Bash", "zsh": "Bash", "console": "Bash Session", "shell-session": "Bash Session",
	"bat": "Batchfile", "cmd": "Batchfile", "powershell": "PowerShell", "ps1": "PowerShell",
	"c": "C", "h": "C", "c++": "C++", "cpp": "C++", "cc": "C++", "hpp": "C++", "cuda": "C++", "c#": "C#", "cs": "C#", "csharp": "C#",
	"clojure": "Clojure", "clj": "Clojure", "cmake": "CMake", "css": "CSS", "scss": "SCSS",
	"dart": "Dart", "diff": "Diff", "patch": "Diff", "docker": "Docker", "dockerfile": "Docker",
	"elixir": "Elixir", "ex": "Elixir", "erlang": "Erlang", "erl": "Erlang", "f#": "FSharp", "fsharp": "FSharp",
	"fortran": "Fortran", "f90": "Fortran", "go": "Go", "golang": "Go", "graphql": "GraphQL", "groovy": "Groovy", "gradle": "Groovy",
	"haskell": "Haskell", "hs": "Haskell", "html": "HTML", "xml": "XML", "svg": "XML", "ini": "INI", "conf": "INI", "toml": "TOML",
	"java": "Java", "javascript": "JavaScript", "js": "JavaScript", "jsx": "react", "mjs": "JavaScript", "json": "JSON", "jsonc": "JSON", "json5": "JSON",
	"julia": "Julia", "jl": "Julia", "kotlin": "Kotlin", "kt": "Kotlin", "latex": "TeX", "tex": "TeX",
	"lisp": "Common Lisp", "elisp": "EmacsLisp", "scheme": "Scheme", "lua": "Lua", "makefile": "Makefile", "make": "Makefile",
	"markdown": "markdown", "md": "markdown", "matlab": "Matlab", "nginx": "Nginx configuration file", "nix": "Nix", "objective-c": "Objective-C", "objc": "Objective-C",
	"ocaml": "OCaml", "ml": "OCaml", "perl": "Perl", "pl": "Perl", "php": "PHP", "proto": "Protocol Buffer", "protobuf": "Protocol Buffer",
	"python": "Python", "py": "Python", "python3": "Python", "r": "R", "ruby": "Ruby", "rb": "Ruby", "rust": "Rust", "rs": "Rust",
	"scala": "Scala", "sql": "SQL", "mysql": "MySQL", "postgresql": "PostgreSQL SQL dialect", "swift": "Swift",
	"terraform": "Terraform", "hcl": "HCL", "typescript": "TypeScript", "ts": "TypeScript", "tsx": "TypeScript", "vue": "vue",
	"yaml": "YAML", "yml": "YAML", "zig": "Zig", "asm": "GAS", "assembly": "GAS", "wgsl": "WebGPU Shading Language", "glsl": "GLSL",
}
