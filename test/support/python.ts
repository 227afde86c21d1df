/** Puts the interpreter itself first on the PATH: a version manager's `python3` takes longer to start than an agent. */
import { execFileSync } from "node:child_process"
import * as path from "node:path"

export const setup = (): void => {
  const interpreter = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim()
  process.env["PATH"] = `${path.dirname(interpreter)}:${process.env["PATH"]}`
}
