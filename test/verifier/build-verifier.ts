/** Builds the one-file verifier with the command of `npm run build:verifier`, at a path of the caller. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

export const buildVerifier = (to: string): Buffer => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const [tool, ...words] = (scripts["build:verifier"] as string).split(" ")
  const redirected = words.map((word) => (word === "dist/verify-result.mjs" ? to : word))
  execFileSync(join(root, "node_modules/.bin", tool!), redirected, { cwd: root, stdio: "ignore", timeout: 60_000 })
  return readFileSync(to)
}

/** Bundles another file of the tests in the same way. */
export const bundle = (source: string, to: string): void => {
  const words = [source, "--file", to, "--format", "esm", "--platform", "node", "--minify"]
  execFileSync(join(root, "node_modules/.bin/rolldown"), words, { cwd: root, stdio: "ignore", timeout: 60_000 })
}
