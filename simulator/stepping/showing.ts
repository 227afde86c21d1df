/** What a walk shows when it is asked: the requests of the last step, the trace, names, rows, and what is to come. */
import { Result } from "effect"
import { tables } from "../../src/tables.ts"
import { allRows } from "../memory-storage/content.ts"
import { asJson, type Json } from "../script/json.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import { writeStep } from "../script/write.ts"
import { tellChanges, wordOf } from "./telling.ts"
import type { Branch, Done } from "./walk.ts"

type Lines = Result.Result<ReadonlyArray<string>, string>

export const show = (what: string, branch: Branch): Lines => {
  const wanted = views[what]
  if (wanted === undefined) {
    return Result.fail(
      `show shows ${Object.keys(views).join(", ")}${what === "" ? "" : didYouMean(what, Object.keys(views))}`
    )
  }
  return Result.succeed(wanted(branch))
}

const ofLast =
  (tell: (last: Done, branch: Branch) => ReadonlyArray<string>, nothing: string) =>
  (branch: Branch): ReadonlyArray<string> => {
    const last = branch.done.at(-1)
    if (last === undefined) return ["  nothing was done yet; next does the first step"]
    const lines = tell(last, branch)
    return lines.length === 0 ? [`  ${nothing}`] : lines
  }

const views: { readonly [what: string]: (branch: Branch) => ReadonlyArray<string> } = {
  request: ofLast(({ observed }) => observed.flatMap(requestLines), "this step sent no request"),
  response: ofLast(({ observed }) => observed.flatMap(responseLines), "this step got no answer"),
  state: ofLast(({ changes }) => tellChanges(changes), "this step changed no row"),
  trace: ofLast(({ observed }, { world }) => {
    const lines = world.trace.trimEnd().split("\n")
    return lines.slice(lines.length - observed.length)
  }, "this step left no trace"),
  names: ({ world }) => [...world.journey.directory.names].map(([name, value]) => `  ${name}: ${cut(wordOf(value))}`),
  steps: ({ done, future }) => [
    ...done.map(({ form, ended }, index) => stepLine(index + 1, form, ended === undefined ? "done" : "FAIL")),
    ...future.map(({ form }, index) => stepLine(done.length + index + 1, form, ""))
  ]
}

const requestLines = (seen: Done["observed"][number]): ReadonlyArray<string> => {
  if (seen.kind === "act") return [`  ${seen.actor} does ${seen.operation}`, ...indented(seen.input)]
  if (seen.kind !== "request") return []
  const { actor, method, path, headers, body } = seen
  const sent = Object.entries(headers ?? {}).map(([name, value]) => `  ${name}: ${value}`)
  return [`  ${actor}: ${method} ${path}`, ...sent, ...indented(body)]
}

const responseLines = (seen: Done["observed"][number]): ReadonlyArray<string> => {
  if (seen.kind === "answer") return [`  ${seen.actor}: ${seen.refused ?? "done"}`, ...indented(seen.body)]
  if (seen.kind !== "response") return []
  return [`  ${seen.actor}: ${seen.status}${seen.lost ? ", and the answer is lost" : ""}`, ...indented(seen.body)]
}

const indented = (body: Json | undefined): ReadonlyArray<string> =>
  body === undefined
    ? []
    : JSON.stringify(body, undefined, 2)
        .split("\n")
        .map((line) => `    ${line}`)

const stepLine = (number: number, form: Done["form"], mark: string): string => {
  const { say: _, ...rest } = form
  const text = Object.keys(rest).length === 0 ? form : rest
  return `  ${String(number).padStart(3)} ${mark.padEnd(4)} ${cut(writeStep(text))}`
}

const cut = (text: string): string => (text.length <= cutMax ? text : `${text.slice(0, cutMax)}…`)

const cutMax = 110

/** The rows of a table in memory, one a line; or which tables have any. */
export const rows = (name: string, { world }: Branch): Lines => {
  const content = world.stage.store?.content ?? new Map()
  if (name === "") {
    const filled = tables.flatMap((table) => {
      const count = allRows(content, table).length
      return count === 0 ? [] : [`  ${table.name}: ${count}`]
    })
    return Result.succeed([...filled, "rows and one of these shows them"])
  }
  const names = tables.map((table) => table.name)
  const table = tables.find((one) => one.name === name)
  if (table === undefined) {
    return Result.fail(`there is no table ${name}${didYouMean(name, names)}; rows alone lists those with rows`)
  }
  const found = allRows(content, table).map((row) => `  ${JSON.stringify(asJson(row))}`)
  return Result.succeed(found.length === 0 ? [`  ${name} has no rows`] : found)
}
