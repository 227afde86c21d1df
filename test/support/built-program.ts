/**
 * `countersign` in one file: a process starts with a third of the work that loading every module takes. The processes of
 * the tests run it, but for those whose subject is the program as it is installed.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { build } from "rolldown"

const root = path.resolve(import.meta.dirname, "../..")

/** The program that processes run: the built one within a run of vitest, else the sources. */
export const programOfTests = (): string => process.env["COUNTERSIGN_TEST_PROGRAM"] ?? sources

export const sources = path.join(root, "src/main.ts")

/** Builds the program into this directory; the processes that this one starts from now on use it. */
export const buildProgram = async (directory: string): Promise<void> => {
  const file = path.join(directory, "countersign.mjs")
  // The binaries of Postgres are found from the program at run time.
  fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"))
  await build({ input: sources, platform: "node", logLevel: "silent", output: { file, codeSplitting: false } })
  process.env["COUNTERSIGN_TEST_PROGRAM"] = file
}
