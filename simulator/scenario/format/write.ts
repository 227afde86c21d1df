/** Writes a scenario in the conventional style: short values on one line, long ones in blocks, keys in a fixed order. */
import type { OuterStepForm } from "./scenario-form.ts"
import type { Json } from "../../vocabulary/json.ts"
import { formsOfProperties } from "./property-form.ts"
import type { WorldDefinition } from "./scenario.ts"
import { keyText, lineText, textLines } from "./yaml-text.ts"

/** YAML comments. */
export interface Comments {
  readonly heading?: string | undefined
  /** The comment above a step, by its index. */
  readonly above?: (index: number) => string | undefined
}

/** The text reads back as the same world definition and equal forms. */
export const writeScenario = (
  { title, say, seed, start, given, properties }: WorldDefinition,
  forms: ReadonlyArray<OuterStepForm>,
  { heading, above = () => undefined }: Comments = {}
): string => {
  const opening = withoutUndefined({ scenario: title, say, seed, start })
  const steps = forms.map((form, index) => {
    const comment = above(index)
    const isApart = index > 0 && (form.say !== undefined || comment !== undefined)
    return [...(isApart ? [""] : []), ...commentLines(comment, "  "), ...itemLines(orderKeys(form), "  ", hasSay)]
  })
  return [
    ...commentLines(heading, ""),
    ...memberLines(opening, "", () => false),
    ...(Object.keys(given).length === 0
      ? []
      : ["", "given:", ...memberLines(withoutUndefined(given), "  ", isPartyList)]),
    ...Object.entries(formsOfProperties(properties)).flatMap(([kind, stated]) => [
      "",
      `${kind}:`,
      ...stated.flatMap((form) => itemLines(withoutUndefined(form), "  ", () => false))
    ]),
    "",
    "steps:",
    ...steps.flat(),
    ""
  ].join("\n")
}

/** Any form in the same style. */
export const writeForm = (form: object, { heading }: Pick<Comments, "heading"> = {}): string =>
  [...commentLines(heading, ""), ...memberLines(withoutUndefined(form), "", () => false), ""].join("\n")

/** One step on one line, as a person can type it. */
export const writeStep = (form: OuterStepForm): string => flowText(orderKeys(form))

const order = ["id", "say", "use", "for", "steps", "as", "do", "on", "with", "input", "envelope", "send", "retry"]
const orderAfter = [
  "advance",
  "until",
  "together",
  "explore",
  "inject",
  "meanwhile",
  "outside",
  "choose",
  "expect",
  "within",
  "keep"
]
const ranks = new Map([...order, ...orderAfter].map((key, rank) => [key, rank]))

const orderKeys = (form: object): Members => {
  const sorted = Object.entries(withoutUndefined(form)).toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  return Object.fromEntries(sorted.map(([key, value]) => [key, holdsSteps.has(key) ? orderStepKeys(value) : value]))
}

const rankOf = (key: string): number => ranks.get(key) ?? ranks.size

const holdsSteps: ReadonlySet<string> = new Set(["steps", "together", "meanwhile", "outside"])

const orderStepKeys = (steps: Json): Json =>
  Array.isArray(steps) ? steps.map((step: Json) => (isMembers(step) ? orderKeys(step) : step)) : steps

/** A step with `say` is never written on one line. */
const hasSay = (value: Members): boolean => Object.hasOwn(value, "say")

/** Each party is written on its own line. */
const isPartyList = (_: Members, key: string | undefined): boolean => key !== undefined && parties.has(key)

const parties: ReadonlySet<string> = new Set(["people", "agents", "receivers", "providers"])

/** True if a map, under this key, is never written on one line. */
type IsBlock = (value: Members, key: string | undefined) => boolean

const memberLines = (members: Members, indent: string, isBlock: IsBlock): ReadonlyArray<string> =>
  Object.entries(members).flatMap(([key, value]) => {
    const lead = `${indent}${keyText(key)}:`
    if (typeof value === "string") return textLines(value, lead, indent, lineWidth)
    if (fits(value, `${lead} `, isBlock, key)) return [`${lead} ${flowText(value)}`]
    return [lead, ...partLines(value, `${indent}  `, isBlock)]
  })

const itemLines = (value: Json, indent: string, isBlock: IsBlock): ReadonlyArray<string> => {
  if (typeof value === "string") return textLines(value, `${indent}-`, indent, lineWidth)
  if (fits(value, `${indent}- `, isBlock, undefined)) return [`${indent}- ${flowText(value)}`]
  const [first = "", ...others] = partLines(value, `${indent}  `, isBlock)
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...others]
}

const partLines = (value: Json, indent: string, isBlock: IsBlock): ReadonlyArray<string> =>
  isMembers(value)
    ? memberLines(value, indent, isBlock)
    : listOf(value).flatMap((item) => itemLines(item, indent, isBlock))

const fits = (value: Json, lead: string, isBlock: IsBlock, key: string | undefined): boolean => {
  const isEmpty = isMembers(value) ? Object.keys(value).length === 0 : listOf(value).length === 0
  if (isEmpty) return true
  return !anyBlock(value, isBlock, key) && lead.length + flowText(value).length <= lineWidth
}

const anyBlock = (value: Json, isBlock: IsBlock, key?: string): boolean =>
  isMembers(value)
    ? isBlock(value, key) || Object.entries(value).some(([name, part]) => anyBlock(part, isBlock, name))
    : listOf(value).some((part) => anyBlock(part, isBlock))

const flowText = (value: Json): string => {
  if (typeof value === "string") return lineText(value, "flow")
  if (isMembers(value)) {
    const members = Object.entries(value).map(([key, part]) => `${keyText(key)}: ${flowText(part)}`)
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
  }
  return Array.isArray(value) ? `[${value.map(flowText).join(", ")}]` : JSON.stringify(value)
}

const commentLines = (comment: string | undefined, indent: string): ReadonlyArray<string> =>
  comment === undefined ? [] : comment.split("\n").map((line) => `${indent}# ${line}`.trimEnd())

interface Members {
  readonly [key: string]: Json
}

const isMembers = (value: Json): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: Json): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

/** The form without its undefined members. */
const withoutUndefined = (form: object): Members =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined))

const lineWidth = 120
