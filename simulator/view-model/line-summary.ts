/** A one-line summary of each trace line. */
import { isObject, valueAt, type Json, type JsonObject } from "../vocabulary/json.ts"
import { refusalCode } from "./tones.ts"

export interface LineContext {
  /** The current operation of the actor. */
  readonly operation: string | undefined
  /** The attempt of the webhook that the line begins. */
  readonly attempt: number | undefined
}

export const summarizeLine = (line: JsonObject, around: LineContext): string => {
  const words = wordsOf(line, around)
  return words === undefined ? unknownWords(line) : words.filter((word) => word !== "").join(" ")
}

const wordsOf = (line: JsonObject, around: LineContext): ReadonlyArray<string> | undefined => {
  const word = (member: string): string => brief(line[member])
  switch (line["kind"]) {
    case "scenario":
      return ["scenario", word("title"), `seed ${word("seed")}`]
    case "given":
      return ["given", word("name"), word("is")]
    case "step":
      return [`step ${word("step")}`, word("actor"), word("operation"), ...retryWords(line)]
    case "resumed":
      return [`step ${word("step")}`, word("actor"), word("operation"), "resumed"]
    case "request":
      return [around.operation ?? "", word("method"), word("path"), ...withToken(line), isLost(line)]
    case "response":
      return [word("status"), refusalCode(line) ?? stateOf(line), isLost(line), `to ${around.operation ?? "a request"}`]
    case "act":
      return [word("operation"), word("on")]
    case "answer":
      return ["answer", typeof line["refused"] === "string" ? word("refused") : stateOf(line) || "done"]
    case "commit":
      return ["commit", writesOf(line), ...(around.attempt === undefined ? [] : [`(attempt ${around.attempt})`])]
    case "letter":
      return ["e-mail to", `${word("to")}:`, word("subject"), mailServerWords[word("server")] ?? word("server")]
    case "time":
      return ["time is", word("to")]
    case "expectation":
      return [differencesOf(line)]
    case "verdict":
      return [word("verdict"), `after ${word("steps")} steps`, word("reason")]
    case "fault":
      return ["fault:", word("fault"), "at", word("where"), word("what")]
    case "process":
      return ["process", word("process"), word("did")]
    case "payments":
      return ["payment provider:", word("call"), word("on"), word("answer"), word("fault")]
    case "choice":
      return ["choice:", `${word("chosen")}, of`, word("options")]
    default:
      return webhookWords(line, around)
  }
}

const webhookWords = (line: JsonObject, { attempt }: LineContext): ReadonlyArray<string> | undefined => {
  const word = (member: string): string => brief(line[member])
  switch (line["kind"]) {
    case "worker":
      return ["worker", word("actor"), word("did")]
    case "lookup":
      return ["looks up", `${word("host")}:`, word("answers"), ...refusalSuffix(line)]
    case "connection":
      return ["connects to", word("receiver"), "at", word("address")]
    case "unconnected":
      return ["cannot connect to", `${word("receiver")}:`, word("why")]
    case "callback":
      return ["webhook", brief(valueAt(line, "body.type")), `attempt ${attempt ?? 1}`, "to", word("receiver")]
    case "received":
      return ["received", word("type"), word("sequence"), `time ${word("time")}`, word("made")]
    case "reply":
      return ["replies", word("answer")]
    case "stalled":
      return ["stalls during", word("during")]
    case "hangup":
      return ["hangs up on", word("receiver")]
    default:
      return undefined
  }
}

/** An unknown kind: its name and its members. */
const unknownWords = (line: JsonObject): string => {
  const members = Object.entries(line).filter(([name]) => !["kind", "at", "actor"].includes(name))
  return [brief(line["kind"]) || "unknown", ...members.map(([name, value]) => `${name}: ${brief(value)}`)].join(" ")
}

const retryWords = ({ repeats }: JsonObject) => (repeats === undefined ? [] : [`retry of ${brief(repeats)}`])
const withToken = (line: JsonObject) => (line["with"] === undefined ? [] : [`with the token of ${brief(line["with"])}`])
const isLost = ({ lost, kind }: JsonObject) =>
  lost === true ? `(the ${kind === "request" ? kind : "answer"} is lost)` : ""
const refusalSuffix = ({ refused }: JsonObject) => (refused === undefined ? [] : [`(${brief(refused)})`])

const mailServerWords: { readonly [server: string]: string } = { WORKING: "", SILENT: "(no answer)" }

const stateOf = ({ body = null }: JsonObject): string =>
  ["project.state", "proposal.state", "state", "verdict"]
    .map((path) => valueAt(body, path))
    .filter((state) => typeof state === "string")
    .slice(0, 1)
    .join("")

const writesOf = ({ writes }: JsonObject): string =>
  Array.isArray(writes)
    ? writes.map((write: Json) => `${brief(valueAt(write, "change"))} ${brief(valueAt(write, "table"))}`).join(", ")
    : ""

const differencesOf = ({ differences }: JsonObject): string => {
  if (!Array.isArray(differences) || differences.length === 0) return "as expected"
  const paths = differences.map((difference: Json) => brief(valueAt(difference, "path")))
  return `not as expected: ${paths.join(", ")}`
}

/** A value in a line of text. */
const brief = (value: Json | undefined): string => {
  if (value === undefined) return ""
  const text =
    typeof value === "string" ? value : Array.isArray(value) ? value.map(brief).join(", ") : JSON.stringify(value)
  const shortened = text.replace(uuid, "$1…")
  return shortened.length <= briefCharactersMax ? shortened : `${shortened.slice(0, briefCharactersMax)}…`
}

const briefCharactersMax = 160

/** Ids are shortened to their first part; the details have the whole. */
const uuid = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export const stringMember = (line: JsonObject, member: string): string | undefined => {
  const value = line[member]
  return typeof value === "string" ? value : undefined
}

/** The webhook delivery of a line, by the id that all its sends share. */
export const deliveryOf = (line: JsonObject): string | undefined => {
  const { headers } = line
  return isObject(headers) ? stringMember(headers, "service-delivery-id") : stringMember(line, "delivery")
}
