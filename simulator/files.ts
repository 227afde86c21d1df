/** Scripts on disk: which files a command line means, and what lies beside each. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { readScenario } from "./script/read.ts"
import type { Scenario } from "./script/scenario.ts"

export interface Script {
  /** As the command line names it. */
  readonly file: string
  readonly scenario: Result.Result<Scenario, string>
}

/**
 * The scripts of files and of folders with all below them, in the order of their names; a failure says what is not
 * there. A part in a folder is no script of its own: it is read where one uses it. What was found and kept expects
 * nothing: of a folder `found` it is meant only where that folder, or the file, is named.
 */
export const findScripts = (places: ReadonlyArray<string>): Result.Result<ReadonlyArray<Script>, string> =>
  Result.map(findFiles(places), (files) => files.map((file) => ({ file, scenario: readScript(file) })))

/** The same, by their names alone. */
export const findFiles = (places: ReadonlyArray<string>): Result.Result<ReadonlyArray<string>, string> => {
  const files: Array<string> = []
  for (const place of places) {
    if (!fs.existsSync(place)) return Result.fail(`there is no ${place}`)
    if (!fs.statSync(place).isDirectory()) {
      if (!place.endsWith(".yaml")) return Result.fail(`${place} is no script: the name of one ends with .yaml`)
      files.push(place)
    } else {
      const found = filesBelow(place)
      if (Result.isFailure(found)) return found
      const scripts = found.success.filter((file) => !isPart(file))
      if (scripts.length === 0) return Result.fail(`there is no scenario in ${place}`)
      files.push(...scripts)
    }
  }
  return Result.succeed(files)
}

/** Everything that is called like a script and is no folder; a link that leads nowhere is told where it is read. */
const filesBelow = (folder: string): Result.Result<ReadonlyArray<string>, string> =>
  Result.try({
    try: () =>
      fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".yaml") && !name.split(path.sep).slice(0, -1).includes("found"))
        .toSorted()
        .map((name) => path.join(folder, name))
        .filter((file) => !isFolder(file)),
    catch: (error) => `${folder} cannot be read: ${String(error)}`
  })

const isFolder = (file: string): boolean => statsOf(file)?.isDirectory() === true

/** A link that leads nowhere, or in a circle, is nothing. */
const statsOf = (file: string): fs.Stats | undefined => {
  try {
    return fs.statSync(file)
  } catch {
    return undefined
  }
}

/** A text on disk, or a sentence with its name that says why it cannot be read. */
export const readText = (file: string): Result.Result<string, string> =>
  Result.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: (error) => `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  })

/** One script, with the parts that it uses by their paths from it. */
export const readScript = (file: string): Result.Result<Scenario, string> =>
  Result.flatMap(readText(file), (text) =>
    readScenario(file, text, (name) => {
      const used = path.join(path.dirname(file), name)
      if (statsOf(used)?.isFile() !== true) return undefined
      return Result.match(readText(used), { onFailure: () => undefined, onSuccess: (text) => ({ file: used, text }) })
    })
  )

/** Its first key says so. */
const isPart = (file: string): boolean => /^(?:\s*(?:#.*)?\n)*part:/.test(Result.getOrElse(readText(file), () => ""))

/** The committed trace and story of a script lie beside it. */
export const goldenFiles = (file: string): { readonly trace: string; readonly story: string } => {
  const stem = file.replace(/\.yaml$/, "")
  return { trace: `${stem}.trace.ndjson`, story: `${stem}.txt` }
}
