/** The section of a subject's page about what is next: the acts available to the person, and the blocked ones. */
import type { Content, Element } from "../kit/html.ts"
import { linkTo, list, nextStep, paragraph, section } from "../kit/parts.ts"
import { subjectPath, type HintedModel, type SubjectPages } from "./subject.ts"

interface NextActs<Act> {
  /** The act that the next action expects, as a button. */
  readonly first: Act | undefined
  readonly others: ReadonlyArray<Act>
  /** Shown instead of the button, where there is none. */
  readonly whyNot?: Content
  readonly note?: Content
}

export const nextSection = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  model: Model,
  { first, others, whyNot = null, note = null }: NextActs<Act>,
  later: Content = null
): Element => {
  const own = subjectPath(subject, subject.versionOf(model).id)
  const pathOf = (act: Act) => `${own}/${subject.acts[act].path}` as const
  return section(
    "What is next",
    subject.stateFacts(model),
    note,
    first === undefined ? whyNot : nextStep(pathOf(first), subject.acts[first].name),
    others.length === 0
      ? null
      : [
          paragraph(first === undefined ? "You can:" : "You can also:"),
          list(others.map((act) => linkTo(pathOf(act), subject.acts[act].name)))
        ],
    blockedActs(subject, model),
    later
  )
}

/** Blocked acts with their reasons, except those that the state rules out. */
const blockedActs = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  { view }: Model
): Content => {
  const explained = view.blockedActions.flatMap(({ action, code }) =>
    isActOf(subject, action) && code !== "STATE_CONFLICT"
      ? [[subject.acts[action].name, ": ", subject.blockedReason(code)]]
      : []
  )
  return explained.length === 0 ? null : [paragraph("Not possible now:"), list(explained)]
}

/** True for acts with a page. */
export const isActOf = <Act extends string>(
  { acts }: { readonly acts: { readonly [A in Act]: unknown } },
  act: string
): act is Act => Object.hasOwn(acts, act)
