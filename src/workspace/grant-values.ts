/** What the fields of a grant mean together, and what is wrong with them. */
import { Effect, Result, Schema } from "effect"
import type { ApprovalInput } from "../access/approval.ts"
import {
  guardedActions,
  humanDecisions,
  presets,
  type GuardedAction,
  type SubjectRequirement
} from "../access/actions.ts"
import type { Json } from "../canonical/json.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import type { FormState, Problem } from "./fields.ts"
import type { SentForm } from "./form.ts"
import { anyOf, oneOf, optionalLines, ticked, wholeNumber } from "./form-values.ts"
import type { GrantChoices } from "./grant-choices.ts"

/** What the person chose: as an operation takes it, and as a request id remembers it. */
export interface ChosenGrant {
  readonly input: ApprovalInput
  readonly values: Json
}

/** Each field has its meaning; now what they mean together. */
export const chosenFrom = (
  { organizationId, role }: GrantChoices,
  values: GrantValues,
  { fields }: SentForm,
  now: Instant
): Result.Result<ChosenGrant, FormState> => {
  const problems = [...problemsOfActions(values), ...problemsOfScope(values), ...problemsOfRequirements(values)]
  if (problems.length > 0) return Result.fail({ sent: fields, problems })
  const { preset, days } = values
  const consents = consentsIn(values)
  const plain = preset === chosenByHand ? values.actions : (presets[role][preset] ?? [])
  const input: ApprovalInput = {
    organizationId,
    role,
    projectIds: [...new Set(values.projects)],
    proposalIds: [...new Set(values.proposals)],
    actions: [...new Set([...plain, ...consents])],
    consents,
    subjectRequirements: requirementsIn(values),
    // The most is counted by the operation: what is now for this page is past for it.
    ...(days === daysMost ? {} : { expiresAt: addMilliseconds(now, days * day) })
  }
  const lists = { projects: [...values.projects], proposals: [...values.proposals], actions: [...values.actions] }
  const kept = {
    requirement1Decisions: [...values.requirement1Decisions],
    requirement2Decisions: [...values.requirement2Decisions],
    requirement3Decisions: [...values.requirement3Decisions]
  }
  return Result.succeed({ input, values: { ...values, ...lists, ...kept } })
}

/** What was chosen could not be given, as things stand `now`: the problem stands where the choice was made. */
export const problemOfRefusal = (
  { code, facts }: Refused,
  { projectIds, proposalIds = [] }: Pick<ApprovalInput, "projectIds" | "proposalIds">,
  now: {
    readonly projects: ReadonlyArray<{ readonly projectId: string }>
    readonly proposals: ReadonlyArray<{ readonly id: string }>
  }
): Problem => {
  if (!projectIds.every((chosen) => now.projects.some(({ projectId }) => projectId === chosen))) {
    return { field: "projects", message: "You stand on this side of one of these projects no more: choose again." }
  }
  if (!proposalIds.every((chosen) => now.proposals.some(({ id }) => id === chosen))) {
    const message = "One of these proposals has ended, or you stand on this side of it no more: choose again."
    return { field: "proposals", message }
  }
  // Nothing but a proposal that too many agents reach conflicts with a grant.
  const field = code === "STATE_CONFLICT" ? "proposals" : "preset"
  return { field, message: facts.detail ?? "This cannot be given any more." }
}

/** True for what the form is shown again for, as things stand now. */
export const isAboutChoice = ({ code }: Refused): boolean =>
  code === "FORBIDDEN" || code === "INVALID_REQUEST" || code === "STATE_CONFLICT"

const problemsOfActions = (values: GrantValues): ReadonlyArray<Problem> => {
  const { preset, actions } = values
  const isEmpty = actions.length === 0 && consentsIn(values).length === 0
  if (preset === chosenByHand) {
    return isEmpty ? [{ field: "preset", message: "Tick at least one action, or choose to read only." }] : []
  }
  if (actions.length > 0) {
    const message = "You ticked actions too: choose exactly those, or untick them."
    return [{ field: "preset", message }]
  }
  const message = "An agent that only reads decides nothing: choose again, or untick what binds for good."
  return preset === "READ_ONLY" && !isEmpty ? [{ field: "preset", message }] : []
}

const problemsOfScope = ({ projects, proposals }: GrantValues): ReadonlyArray<Problem> => [
  ...(projects.length > limits.projectsPerGrant
    ? [{ field: "projects", message: `An agent reaches at most ${limits.projectsPerGrant} projects.` }]
    : []),
  ...(proposals.length > limits.proposalsPerGrant
    ? [{ field: "proposals", message: `An agent reaches at most ${limits.proposalsPerGrant} proposals.` }]
    : [])
]

const problemsOfRequirements = (values: GrantValues): ReadonlyArray<Problem> =>
  requirementsOf(values)
    .filter(({ text, kept }) => text === "" && kept.length > 0)
    .map(({ row }) => ({
      field: `requirement${row}`,
      message: `Requirement ${row} is needed: decisions are kept by it.`
    }))

const consentsIn = (values: GrantValues): ReadonlyArray<GuardedAction> =>
  guardedActions.filter((action) => values[consentFields[action]])

const requirementsIn = (values: GrantValues): ReadonlyArray<SubjectRequirement> =>
  requirementsOf(values)
    .filter(({ text }) => text !== "")
    .map(({ row, text, kept }) => ({ id: `requirement-${row}`, statement: text, humanDecisions: [...new Set(kept)] }))

const requirementsOf = (values: GrantValues) =>
  requirementRows.map((row) => ({ row, text: values[`requirement${row}`], kept: values[`requirement${row}Decisions`] }))

export const schemaFor = ({ role, actions, projects, proposals }: GrantChoices) =>
  Schema.Struct({
    projects: anyOf(
      "the projects",
      projects.map(({ projectId }) => projectId)
    ),
    proposals: anyOf(
      "the proposals",
      proposals.map(({ id }) => id)
    ),
    preset: oneOf("what the agent may do", [...Object.keys(presets[role]), chosenByHand]),
    actions: anyOf("the actions", actions),
    consentToConfirm: ticked,
    consentToIssue: ticked,
    days: wholeNumber("The days", 1, daysMost),
    requirement1: requirement(1),
    requirement1Decisions: keptDecisions,
    requirement2: requirement(2),
    requirement2Decisions: keptDecisions,
    requirement3: requirement(3),
    requirement3Decisions: keptDecisions
  })

export type GrantValues = ReturnType<typeof schemaFor>["Type"]

// Absent where nothing that the agent may do creates anything.
const requirement = (row: number) =>
  optionalLines(`Requirement ${row}`, limits.textCharacters).pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
const keptDecisions = anyOf("the decisions", humanDecisions)

export const requirementRows = [1, 2, 3] as const
export const chosenByHand = "CHOSEN"
const day = 86_400_000
export const daysMost = limits.credentialLifetime / day
/** What stands in the form: short enough to be looked at again soon. */
export const daysOffered = 7
export const consentFields = { CONFIRM_COMPLETION: "consentToConfirm", ISSUE_RESULT_RECORD: "consentToIssue" } as const
