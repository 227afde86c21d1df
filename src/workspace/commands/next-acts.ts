/** What is next on a subject: the acts available to the person, and why others are blocked. */
import { isRefusalCode, refusals, type RefusalCode } from "../../vocabulary/refusal-rules.ts"
import type { Content, Element } from "../kit/html.ts"
import { folded, linkTo, list, nextStep, section } from "../kit/parts.ts"
import { subjectPath, type BlockedAct, type SubjectKind, type SubjectView } from "./subject.ts"

/** Reasons for people, where the refusal's own detail is written for clients. */
export type BlockedTexts = { readonly [C in RefusalCode]?: string }

export const blockedReason = (texts: BlockedTexts, code: string): string =>
  isRefusalCode(code) ? (texts[code] ?? refusals[code].detail) : code

/** The reason with the required next step, where only the state blocks the act. */
export const awaitedStepText = (
  { blockedReason }: Pick<SubjectKind, "blockedReason">,
  { code, reason }: BlockedAct
): string => (code === "STATE_CONFLICT" ? `${blockedReason(code)} ${reason}` : blockedReason(code))

interface NextActs {
  /** The state and whose turn it is; the facts of the subject where absent. */
  readonly lead?: Content
  /** The act that the next action expects, as a button. */
  readonly first: string | undefined
  readonly others: ReadonlyArray<string>
  /** Shown instead of the button, where there is none. */
  readonly whyNot?: Content
  readonly note?: Content
  readonly later?: Content
}

/** The one next act as a button; all others are folded. */
export const nextSection = (
  view: SubjectView,
  { lead = view.stateFacts(), first, others, whyNot, note, later }: NextActs
): Element => {
  const linkOf = (act: string) => {
    const { name, path } = view.acts[act]!
    return [`${subjectPath(view, view.id)}/${path}`, name] as const
  }
  const blocked = blockedActs(view)
  const more = [others.length === 0 ? null : list(others.map((act) => linkTo(...linkOf(act)))), blocked, later]
  return section(
    "What is next",
    lead,
    note,
    first === undefined ? whyNot : nextStep(...linkOf(first)),
    more.every((one) => one === null || one === undefined) ? null : folded(moreActionsLabel(others.length), ...more)
  )
}

const moreActionsLabel = (count: number): string =>
  count === 0 ? "Actions that are not possible now" : `More actions (${count})`

/** Blocked acts with their reasons, except those that the state rules out. */
const blockedActs = ({ acts, hints, blockedReason }: SubjectView): Content => {
  const explained = hints.blockedActions.flatMap(({ action, code }) =>
    Object.hasOwn(acts, action) && code !== "STATE_CONFLICT" ? [[acts[action]!.name, ": ", blockedReason(code)]] : []
  )
  return explained.length === 0 ? null : ["Not possible now:", list(explained)]
}
