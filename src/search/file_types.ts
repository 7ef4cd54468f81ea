const TYPES: { readonly [type: string]: string } = {
  c: "*.[ch]",
  cpp: "*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}",
  cs: "*.cs",
  css: "*.{css,scss,sass,less}",
  dart: "*.dart",
  docker: "*{Dockerfile,dockerfile}*",
  elixir: "*.{ex,exs,eex,heex}",
  erlang: "*.{erl,hrl}",
  go: "*.go",
  graphql: "*.{graphql,graphqls}",
  haskell: "*.{hs,lhs}",
  html: "*.{html,htm,ejs}",
  java: "*.{java,jsp,properties}",
  js: "*.{js,jsx,mjs,cjs,vue}",
  json: "*.{json,jsonc,json5,jsonl}",
  kotlin: "*.{kt,kts}",
  lua: "*.lua",
  make: "{*.mk,*.mak,[Mm]akefile*,GNUmakefile}",
  markdown: "*.{md,markdown,mdx}",
  perl: "*.{pl,pm,t}",
  php: "*.{php,phtml}",
  proto: "*.proto",
  py: "*.{py,pyi}",
  r: "*.{r,R,Rmd}",
  ruby: "{*.rb,*.gemspec,Gemfile,Rakefile}",
  rust: "*.rs",
  scala: "*.{scala,sbt}",
  sh: "*.{sh,bash,zsh,ksh}",
  sql: "*.{sql,psql}",
  svelte: "*.svelte",
  swift: "*.swift",
  tf: "*.{tf,tfvars}",
  toml: "*.toml",
  ts: "*.{ts,tsx,mts,cts}",
  txt: "*.txt",
  vue: "*.vue",
  xml: "*.{xml,xsd,xsl,svg}",
  yaml: "*.{yaml,yml}",
  zig: "*.zig",
};

const OTHER_NAMES: { readonly [name: string]: string } = {
  "c++": "cpp",
  csharp: "cs",
  golang: "go",
  javascript: "js",
  jsx: "js",
  md: "markdown",
  python: "py",
  rb: "ruby",
  rs: "rust",
  shell: "sh",
  tsx: "ts",
  typescript: "ts",
  yml: "yaml",
};

/** Returns the glob for a file type by ripgrep's name (`ts`, `py`), or undefined. */
export function typeGlob(type: string): string | undefined {
  const name = type.toLowerCase().replace(/^\./, "");
  return TYPES[OTHER_NAMES[name] ?? name];
}

/** Lists the known file types. */
export function typeNames(): string[] {
  return Object.keys(TYPES);
}
