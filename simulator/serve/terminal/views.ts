/** The views of a walk: messages, events and trace of the last step, names, rows and steps. */
import { Result } from "effect"
import { tables } from "../../../src/tables.ts"
import { allRows } from "../../storage/memory-storage/content.ts"
import { asJson, type Json } from "../../vocabulary/json.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"
import { readTrace } from "../../observation/trace.ts"
import { writeStep } from "../../scenario/format/write.ts"
import { instantText } from "../../view-model/instant-text.js"
import { type MessageParts, requestParts, responseParts } from "../../view-model/message-parts.js"
import { eventsOf, type SessionEvent } from "../../view-model/session-events.ts"
import { toneText } from "../../view-model/tone-text.js"
import { renderChanges, textOfValue } from "./render-step.ts"
import type { Branch, ExecutedStep } from "./walk.ts"

type Lines = Result.Result<ReadonlyArray<string>, string>

export const showView = (what: string, branch: Branch): Lines => {
  const wanted = views[what]
  if (wanted === undefined) {
    return Result.fail(
      `show takes one of ${Object.keys(views).join(", ")}${what === "" ? "" : didYouMean(what, Object.keys(views))}`
    )
  }
  return Result.succeed(wanted(branch))
}

const ofLast =
  (render: (last: ExecutedStep, branch: Branch) => ReadonlyArray<string>, empty: string) =>
  (branch: Branch): ReadonlyArray<string> => {
    const last = branch.done.at(-1)
    if (last === undefined) return ["  no step was executed yet; next runs the first one"]
    const lines = render(last, branch)
    return lines.length === 0 ? [`  ${empty}`] : lines
  }

const views: { readonly [what: string]: (branch: Branch) => ReadonlyArray<string> } = {
  request: ofLast(({ observed }) => observed.flatMap(requestLines), "this step sent no request"),
  response: ofLast(({ observed }) => observed.flatMap(responseLines), "this step received no answer"),
  events: ofLast(({ observed }, { world }) => {
    const events = eventsOf(readTrace(world.trace))
    return eventLines(events.slice(events.length - observed.length))
  }, "this step left no event"),
  state: ofLast(({ changes }) => renderChanges(changes), "this step changed no row"),
  trace: ofLast(({ observed }, { world }) => {
    const lines = world.trace.trimEnd().split("\n")
    return lines.slice(lines.length - observed.length)
  }, "this step left no trace"),
  names: ({ world }) =>
    [...world.context.directory.names].map(([name, value]) => `  ${name}: ${cut(textOfValue(value))}`),
  steps: ({ done, future }) => [
    ...done.map(({ form, ended }, index) => stepLine(index + 1, form, ended === undefined ? "done" : "FAIL")),
    ...future.map(({ form }, index) => stepLine(done.length + index + 1, form, ""))
  ]
}

/** The names of the views, for completions. */
export const viewNames: ReadonlyArray<string> = Object.keys(views)

type Observed = ExecutedStep["observed"][number]

const requestLines = (observed: Observed): ReadonlyArray<string> =>
  observed.kind === "request" || observed.kind === "act" ? messageLines(observed.actor, requestParts(observed)) : []

const responseLines = (observed: Observed): ReadonlyArray<string> =>
  observed.kind === "response" || observed.kind === "answer"
    ? messageLines(observed.actor, responseParts(observed))
    : []

const messageLines = (actor: string, parts: MessageParts | undefined): ReadonlyArray<string> => {
  if (parts === undefined) return []
  const { heading, note, loss, contents } = parts
  return [
    `  ${actor}: ${[heading, ...(note === undefined ? [] : [note])].join(", ")}`,
    ...(loss === undefined ? [] : [`  ${loss}`]),
    ...contents.flatMap(contentLines)
  ]
}

const contentLines = ({ name, value }: MessageParts["contents"][number]): ReadonlyArray<string> =>
  name === "headers"
    ? Object.entries(value).map(([header, text]) => `  ${header}: ${String(text)}`)
    : indent(value as Json | undefined)

const eventLines = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<string> => {
  const width = Math.max(...events.map(({ actor = "" }) => actor.length))
  return events.map((event) => {
    const { at, actor = "", text } = event
    const tone = toneText(event)
    return `  ${instantText(at)}  ${actor.padEnd(width)}  ${text}${tone === "" ? "" : `  [${tone}]`}`
  })
}

const indent = (body: Json | undefined): ReadonlyArray<string> =>
  body === undefined
    ? []
    : JSON.stringify(body, undefined, 2)
        .split("\n")
        .map((line) => `    ${line}`)

const stepLine = (number: number, form: ExecutedStep["form"], mark: string): string => {
  const { say: _, ...rest } = form
  const text = Object.keys(rest).length === 0 ? form : rest
  return `  ${String(number).padStart(3)} ${mark.padEnd(4)} ${cut(writeStep(text))}`
}

const cut = (text: string): string => (text.length <= cutMax ? text : `${text.slice(0, cutMax)}…`)

const cutMax = 110

/** The rows of a table in memory, one per line; without a name, the tables that have rows. */
export const showRows = (name: string, { world }: Branch): Lines => {
  const content = world.setup.store?.content ?? new Map()
  if (name === "") {
    const filled = tables.flatMap((table) => {
      const count = allRows(content, table).length
      return count === 0 ? [] : [`  ${table.name}: ${count}`]
    })
    return Result.succeed([...filled, "rows <table> shows the rows"])
  }
  const names = tables.map((table) => table.name)
  const table = tables.find((one) => one.name === name)
  if (table === undefined) {
    return Result.fail(`unknown table ${name}${didYouMean(name, names)}; rows lists the tables that have rows`)
  }
  const found = allRows(content, table).map((row) => `  ${JSON.stringify(asJson(row))}`)
  return Result.succeed(found.length === 0 ? [`  ${name} has no rows`] : found)
}
