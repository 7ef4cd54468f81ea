/** Knows what commands make by the way, and can make again. */

/** Builds and tests; not what begins a project. */
const TOOLS = [
  "g?make|cmake|ninja|meson|scons|bazel|just|gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|rustc|javac|kotlinc",
  "mvnw?|gradlew?|tsc|vite|webpack|rollup|esbuild|parcel|jest|vitest|pytest|tox|nox|coverage|latexmk|pdflatex",
  "python[\\d.]* -m (?:pytest|unittest|coverage|build)",
  "(?:npm|pnpm|yarn|bun) (?:run|test|t|build|start)",
  "cargo (?:build|test|run|check|bench|doc|clippy)",
  "go (?:build|test|run|generate|vet)",
  "deno (?:task|test|bench|compile|bundle)",
  "(?:dotnet|swift|zig) (?:build|test|run|publish)",
].join("|");
const BUILD = new RegExp(
  `(?:^|[;&|({\\n]|\\b(?:time|nice|npx|exec) )\\s*(?:\\w+=\\S*\\s+)*(?:[\\w./-]*/)?(?:${TOOLS})(?![\\w.-])`,
);
const CLONE = /(?:^|[;&|({\n])\s*git\b[^;&|\n]*\sclone\s/;
/** Reports of tests and builds. */
const REPORT =
  /(?:^|\/)(?:\.coverage(?:\.[^/]*)?|coverage\.(?:xml|json|out)|lcov\.info|junit[^/]*\.xml|build\.log|[^/]*\.tsbuildinfo)$/;

/** What is made anew: of a folder or with a name that says so. */
const PRODUCT =
  /(?:^|\/)(?:out|dist|build|target|bin|obj|public|_site|coverage|generated|vendor|te?mp|cache|\.[\w-]*cache)\/|\.(?:log|out|te?mp|stamp|pid|lock|map|o|a|so|pyc|class)$|(?:^|\/)version(?:\.txt)?$/i;

export const isProduct = (path: string): boolean => PRODUCT.test(path) || isReport(path);
export const isBuild = (command: string): boolean => BUILD.test(command);
export const isClone = (command: string): boolean => CLONE.test(command);
export const isReport = (path: string): boolean => REPORT.test(path);
