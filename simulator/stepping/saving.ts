/** A branch as a scenario in a file: what was done on it, with the comments that stood above its steps. */
import * as fs from "node:fs"
import { Result } from "effect"
import { writeScenario } from "../script/write.ts"
import type { Branch } from "./walk.ts"

/** Where a walk came from. */
export interface Origin {
  readonly file: string
  readonly text: string
}

/** Failures say what to type instead. */
export const save = (
  name: string,
  mayReplace: boolean,
  branch: Branch,
  origin: Origin
): Result.Result<string, string> => {
  const { done, world } = branch
  if (name === "") return Result.fail("save needs a file: save walked.yaml")
  if (!name.endsWith(".yaml"))
    return Result.fail(`a scenario is a .yaml file; type save ${name.replace(/\.yml$/, "")}.yaml`)
  if (done.length === 0) return Result.fail("nothing was done on this branch that could be saved; next does a step")
  if (!mayReplace && fs.existsSync(name)) return Result.fail(`${name} is there already; save! ${name} replaces it`)
  const comments = { heading: headingOf(branch, origin), above: commentsOf(branch, origin) }
  try {
    fs.writeFileSync(name, writeScenario(world.opening, world.forms, comments))
  } catch (error) {
    return Result.fail(`${name} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  const ended = done.at(-1)?.ended === undefined ? "" : "; the last one does not go as expected, and ends the scenario"
  return Result.succeed(`${done.length} ${done.length === 1 ? "step is" : "steps are"} saved in ${name}${ended}`)
}

const headingOf = ({ name, done }: Branch, { file, text }: Origin): string => {
  const heading = commentAbove(
    text.split("\n"),
    text.split("\n").findIndex((line) => line.startsWith("scenario:"))
  )
  const saved = `The branch ${name} of ${file}, ${done.length} ${done.length === 1 ? "step" : "steps"} of it.`
  return heading === undefined ? saved : `${heading}\n${saved}`
}

/** A step that happens several times has its comment once. */
const commentsOf = ({ done }: Branch, { text }: Origin): ((index: number) => string | undefined) => {
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

/** The lines of comment that end above a line, which counts from 0. */
const commentAbove = (lines: ReadonlyArray<string>, line: number): string | undefined => {
  let first = line
  while (/^\s*#/.test(lines[first - 1] ?? "")) first--
  const found = lines.slice(Math.max(first, 0), Math.max(line, 0)).map((text) => text.replace(/^\s*# ?/, ""))
  return found.length === 0 ? undefined : found.join("\n")
}
