/** Scenario files: those that a command line names, and the golden files of each. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { readScenario } from "./format/read.ts"
import type { Scenario } from "./format/scenario.ts"

export interface Script {
  /** The path as on the command line. */
  readonly file: string
  readonly scenario: Result.Result<Scenario, string>
}

/**
 * The scenarios of files and folders, recursively and sorted by name. Parts in a folder are excluded, since they are read
 * where a scenario uses them. What is in a folder `regressions`, `lessons` or `personas` is included only if that folder or file is named.
 */
export const findScripts = (places: ReadonlyArray<string>): Result.Result<ReadonlyArray<Script>, string> =>
  Result.map(findFiles(places), (files) => files.map((file) => ({ file, scenario: readScript(file) })))

/** The same, as file names. */
export const findFiles = (places: ReadonlyArray<string>): Result.Result<ReadonlyArray<string>, string> => {
  const files: Array<string> = []
  for (const place of places) {
    if (!fs.existsSync(place)) return Result.fail(`${place} does not exist`)
    if (!fs.statSync(place).isDirectory()) {
      if (!place.endsWith(".yaml")) return Result.fail(`${place} is not a scenario: its name must end with .yaml`)
      files.push(place)
    } else {
      const found = filesBelow(place)
      if (Result.isFailure(found)) return found
      const scripts = found.success.filter((file) => !isPart(file))
      if (scripts.length === 0) return Result.fail(`${place} contains no scenario`)
      files.push(...scripts)
    }
  }
  return Result.succeed(files)
}

/** All .yaml files that are no folders; a broken link is reported when it is read. */
const filesBelow = (folder: string): Result.Result<ReadonlyArray<string>, string> =>
  Result.try({
    try: () =>
      fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".yaml") && !name.split(path.sep).slice(0, -1).some(isApart))
        .toSorted()
        .map((name) => path.join(folder, name))
        .filter((file) => !isFolder(file)),
    catch: (error) => `${folder} cannot be read: ${String(error)}`
  })

/** Regressions are replayed, and lessons are given to agents, with personas. */
const isApart = (folder: string): boolean => apart.has(folder)

const apart: ReadonlySet<string> = new Set(["regressions", "lessons", "personas"])

const isFolder = (file: string): boolean => statsOf(file)?.isDirectory() === true

/** Undefined for a broken or circular link. */
const statsOf = (file: string): fs.Stats | undefined => {
  try {
    return fs.statSync(file)
  } catch {
    return undefined
  }
}

/** The text of a file, or a sentence with its name and the read error. */
export const readText = (file: string): Result.Result<string, string> =>
  Result.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: (error) => `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  })

/** One scenario with its parts, whose paths are relative to it. `varied` changes the text of each file. */
export const readScript = (
  file: string,
  varied: (text: string) => string = (text) => text
): Result.Result<Scenario, string> =>
  Result.flatMap(readText(file), (text) =>
    readScenario(file, varied(text), (name) => {
      const used = path.join(path.dirname(file), name)
      if (statsOf(used)?.isFile() !== true) return undefined
      return Result.match(readText(used), {
        onFailure: () => undefined,
        onSuccess: (text) => ({ file: used, text: varied(text) })
      })
    })
  )

/** True if the first key is `part`, or `lesson` for what belongs to a lesson beside its scenario. */
const isPart = (file: string): boolean =>
  /^(?:\s*(?:#.*)?\n)*(?:part|lesson):/.test(Result.getOrElse(readText(file), () => ""))

/** The golden trace and story of a script: `scenario.yaml` has a folder of its own, any other file lends them its name. */
export const goldenFiles = (file: string): { readonly trace: string; readonly story: string } => {
  const folder = path.dirname(file)
  if (path.basename(file) === "scenario.yaml") {
    return { trace: path.join(folder, "trace.ndjson"), story: path.join(folder, "story.txt") }
  }
  const stem = file.replace(/\.yaml$/, "")
  return { trace: `${stem}.trace.ndjson`, story: `${stem}.txt` }
}

/**
 * The golden files that a script lacks: none where neither it nor a neighbour has any. The neighbours of a `scenario.yaml`
 * are the scenarios in the folders beside its own, those of any other script the scripts in its folder.
 */
export const missingGoldenFiles = (file: string): ReadonlyArray<string> => {
  const { trace, story } = goldenFiles(file)
  const missing = [trace, story].filter((name) => !fs.existsSync(name))
  return missing.length === 1 || hasRecordedNeighbour(path.resolve(file)) ? missing : []
}

const hasRecordedNeighbour = (file: string): boolean => {
  const folder = path.dirname(file)
  if (path.basename(file) !== "scenario.yaml") {
    return fs.readdirSync(folder).some((name) => name.endsWith(".trace.ndjson"))
  }
  const chapter = path.dirname(folder)
  return fs.readdirSync(chapter).some((name) => fs.existsSync(path.join(chapter, name, "trace.ndjson")))
}
