/** Saves a branch as a scenario file: its executed steps, with the comments of the original. */
import * as fs from "node:fs"
import { Result } from "effect"
import { writeScenario } from "../../scenario/format/write.ts"
import type { Branch } from "./walk.ts"

/** The original script. */
export interface OriginalScript {
  readonly file: string
  readonly text: string
}

/** Failures name the command to type instead. */
export const saveBranch = (
  name: string,
  mayReplace: boolean,
  branch: Branch,
  origin: OriginalScript
): Result.Result<string, string> => {
  const { done, world } = branch
  if (name === "") return Result.fail("file is missing: save walked.yaml")
  if (!name.endsWith(".yaml"))
    return Result.fail(`a scenario file ends with .yaml: save ${name.replace(/\.yml$/, "")}.yaml`)
  if (done.length === 0) return Result.fail("this branch has no executed steps to save; next runs a step")
  if (!mayReplace && fs.existsSync(name)) return Result.fail(`${name} already exists; save! ${name} overwrites it`)
  const comments = { heading: headingOf(branch, origin), above: commentsOf(branch, origin) }
  try {
    fs.writeFileSync(name, writeScenario(world.opening, world.forms, comments))
  } catch (error) {
    return Result.fail(`${name} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  const ended = done.at(-1)?.ended === undefined ? "" : "; the last one fails and ends the scenario"
  return Result.succeed(`${done.length} ${done.length === 1 ? "step" : "steps"} saved in ${name}${ended}`)
}

const headingOf = ({ name, done }: Branch, { file, text }: OriginalScript): string => {
  const heading = commentAbove(
    text.split("\n"),
    text.split("\n").findIndex((line) => line.startsWith("scenario:"))
  )
  const saved = `Branch ${name} of ${file}, ${done.length} ${done.length === 1 ? "step" : "steps"}.`
  return heading === undefined ? saved : `${heading}\n${saved}`
}

/** The comment of a repeated step is written once. */
const commentsOf = ({ done }: Branch, { text }: OriginalScript): ((index: number) => string | undefined) => {
  const lines = text.split("\n")
  const owners = new Map<number, number>()
  for (const [index, { step }] of done.entries()) {
    if (step.file === undefined && !owners.has(step.line)) owners.set(step.line, index)
  }
  return (index) => {
    const line = done[index]?.step.line ?? 0
    return owners.get(line) === index ? commentAbove(lines, line - 1) : undefined
  }
}

/** The comment lines directly above a line (0-based). */
const commentAbove = (lines: ReadonlyArray<string>, line: number): string | undefined => {
  let first = line
  while (/^\s*#/.test(lines[first - 1] ?? "")) first--
  const found = lines.slice(Math.max(first, 0), Math.max(line, 0)).map((text) => text.replace(/^\s*# ?/, ""))
  return found.length === 0 ? undefined : found.join("\n")
}
