/** What each party does next on a project, what the viewer can do now, and what stands in the way of the rest. */
import type { Role } from "../access/actions.ts"
import type { Act } from "../projects/acts.ts"
import { hasSigned } from "../projects/signing.ts"
import { isInstant } from "../vocabulary/instant.ts"
import type { Content, Element } from "./html.ts"
import { untrusted } from "./html.ts"
import { facts, linkTo, list, nextStep, paragraph, section, time } from "./parts.ts"
import { maySeeCredits, type SeenProject } from "./project-seen.ts"
import {
  actsOfStep,
  actWords,
  isProjectAct,
  sayAwaited,
  sayBlocked,
  sayNobodysStep,
  stepOf,
  type ProjectAct
} from "./project-words.ts"
import { roleWords, stateWords } from "./words.ts"

export const actPath = (projectId: string, act: ProjectAct): `/workspace/${string}` =>
  `/workspace/projects/${projectId}/${actWords[act].path}`

/** Inviting the supplier is no act of its own page: the caller says whether the person may. */
export const nextSection = (seen: SeenProject, mayInvite: boolean): Element => {
  const { side, projectId } = seen
  const { action } = seen.view.project.nextAction
  const available = seen.view.availableActions.filter(isProjectAct)
  const [first] = available.filter((act) => actsOfStep[action]?.includes(act) === true)
  const others = onePerPage(available).filter(
    (act) => first === undefined || actWords[act].path !== actWords[first].path
  )
  return section(
    "What is next",
    stepFacts(seen),
    action === "WAIT_FOR_RECORD" && maySeeCredits(seen)
      ? paragraph(linkTo("/workspace/funding", "See the credits"))
      : null,
    first === undefined
      ? isOwnStep(seen, side) && !mayInvite
        ? paragraph("This is not yours to do now: ", whyNot(seen))
        : null
      : nextStep(actPath(projectId, first), actWords[first].name),
    others.length === 0
      ? null
      : [
          paragraph(first === undefined ? "You can:" : "You can also:"),
          list(others.map((act) => linkTo(actPath(projectId, act), actWords[act].name)))
        ],
    blockedPart(seen)
  )
}

/** The state, what both parties do next, the viewer's first, and by when. */
export const stepFacts = (seen: SeenProject): Element => {
  const { name, meaning } = stateWords[seen.project.state]
  const { dueAt } = seen.view.project.nextAction
  const { side } = seen
  const other: Role = side === "BUYER" ? "SUPPLIER" : "BUYER"
  return facts([
    ["State", [name, ". ", meaning]],
    [`Your side, the ${roleWords[side].toLowerCase()}`, sayStep(seen, side)],
    [`The ${roleWords[other].toLowerCase()}`, sayStep(seen, other)],
    ...(dueAt !== null && isInstant(dueAt) ? [["By", time(dueAt)] as const] : [])
  ])
}

const sayStep = (seen: SeenProject, party: Role): string => {
  if (!isOwnStep(seen, party)) {
    const { action, party: whose } = seen.view.project.nextAction
    return whose === "NONE" ? sayNobodysStep(action) : "Waits for the other side."
  }
  const words = wordsOf(seen, party)!
  return party === seen.side ? words.own : words.other
}

/** Whoever raised a concern and may uphold it too has a choice. */
const wordsOf = ({ project, view }: SeenProject, party: Role) => {
  const { action } = view.project.nextAction
  const isOwnConcern = action === "RESOLVE_CONCERN" && party === "BUYER" && project.concern?.raisedBy === "BUYER"
  return stepOf(isOwnConcern ? "RESOLVE_OWN_CONCERN" : action, party)
}

/** The next action names one party; of what both can do, each still has its own part. */
const isOwnStep = ({ project, view }: SeenProject, party: Role): boolean => {
  const { action } = view.project.nextAction
  if (action === "SIGN_AGREEMENT") return !hasSigned(project, party)
  if (action === "RESOLVE_CONCERN") return party === "BUYER" || project.concern?.raisedBy === party
  return stepOf(action, party) !== undefined
}

/** What keeps this person from what their side does next. */
const whyNot = ({ view, project, side, nameOf }: SeenProject): Content => {
  const acts = actsOfStep[view.project.nextAction.action] ?? []
  const blocked = view.blockedActions.find(({ action }) => acts.some((act) => act === action))
  if (blocked !== undefined) return sayAwaited(blocked)
  const { actorId } = project.supplier
  return side === "SUPPLIER" && actorId !== null
    ? ["it is for ", untrusted(nameOf(actorId)), ", or for whom the agreement names, with the authority for it."]
    : "it is for a person whose membership carries the authority for it, or whom the agreement names."
}

/** What another time or another act would allow; what this state rules out is named by name only. */
const blockedPart = ({ view }: SeenProject): Content => {
  const blocked = view.blockedActions.flatMap(({ action, code }) => (isProjectAct(action) ? [{ action, code }] : []))
  const told = blocked.filter(({ code }) => code !== "STATE_CONFLICT")
  const later = onePerPage(blocked.filter(({ code }) => code === "STATE_CONFLICT").map(({ action }) => action))
  return [
    told.length === 0
      ? null
      : [
          paragraph("Not possible now:"),
          list(told.map((one) => [actWords[one.action].name, ": ", sayBlocked(one.code)]))
        ],
    later.length === 0 ? null : paragraph("Not at this point: ", later.map((act) => actWords[act].name).join("; "), ".")
  ]
}

/** Acts that one page does are one entry. */
const onePerPage = (acts: ReadonlyArray<ProjectAct>): ReadonlyArray<ProjectAct> =>
  acts.filter((act, index) => acts.findIndex((other) => actWords[other].path === actWords[act].path) === index)

/** True where one of these acts can be done now. */
export const isOpen = ({ view }: SeenProject, acts: ReadonlyArray<Act>): boolean =>
  view.availableActions.some((one) => acts.includes(one))

/** Why none of these acts can be done now, for whoever opened their page. */
export const whyClosed = ({ view }: SeenProject, acts: ReadonlyArray<Act>): string => {
  const blocked = view.blockedActions.find(({ action }) => acts.includes(action))
  return blocked === undefined ? "It is not yours to do on this project." : sayAwaited(blocked)
}
