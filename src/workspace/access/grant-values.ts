/** Validates the fields of a grant together. */
import { Effect, Result, Schema } from "effect"
import type { ApprovalInput } from "../../access/approval.ts"
import {
  guardedActions,
  humanDecisions,
  presets,
  type GuardedAction,
  type SubjectRequirement
} from "../../access/actions.ts"
import type { Json } from "../../canonical/json.ts"
import { addMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { brokenRules, firstOfEach, type FormState, type Problem } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import { anyOf, oneOf, optionalLines, checkboxValue, wholeNumber } from "../kit/form-values.ts"
import type { GrantChoices } from "./grant-choices.ts"

/** The selection as the operation's input, and as the fingerprinted values of the idempotent request. */
export interface GrantSelection {
  readonly input: ApprovalInput
  readonly values: Json
}

/** Validates the decoded fields together and builds the operation's input. */
export const buildGrantSelection = (
  { organizationId, role }: GrantChoices,
  values: GrantValues,
  { fields }: FormSubmission,
  now: Instant
): Result.Result<GrantSelection, FormState> => {
  const problems = [...problemsOfActions(values), ...problemsOfScope(values), ...problemsOfRequirements(values)]
  if (problems.length > 0) return Result.fail({ sent: fields, problems })
  const { preset, days } = values
  const consents = consentsIn(values)
  const plain = preset === singleActionsPreset ? values.actions : (presets[role][preset] ?? [])
  const input: ApprovalInput = {
    organizationId,
    role,
    projectIds: [...new Set(values.projects)],
    proposalIds: [...new Set(values.proposals)],
    actions: [...new Set([...plain, ...consents])],
    consents,
    subjectRequirements: requirementsIn(values),
    // The operation computes the maximum: the clock of this page is behind the operation's.
    ...(days === maxDays ? {} : { expiresAt: addMilliseconds(now, days * day) })
  }
  const lists = { projects: [...values.projects], proposals: [...values.proposals], actions: [...values.actions] }
  const decisions = {
    requirement1Decisions: [...values.requirement1Decisions],
    requirement2Decisions: [...values.requirement2Decisions],
    requirement3Decisions: [...values.requirement3Decisions]
  }
  return Result.succeed({ input, values: { ...values, ...lists, ...decisions } })
}

/** Maps a refusal to the field of the rejected selection, with the options that are available `now`. */
export const problemFromRefusal = (
  { code, facts }: Refusal,
  { projectIds, proposalIds = [] }: Pick<ApprovalInput, "projectIds" | "proposalIds">,
  now: {
    readonly projects: ReadonlyArray<{ readonly projectId: string }>
    readonly proposals: ReadonlyArray<{ readonly id: string }>
  }
): Problem => {
  if (!projectIds.every((chosen) => now.projects.some(({ projectId }) => projectId === chosen))) {
    return { field: "projects", message: "You no longer represent this party in one of these projects: choose again." }
  }
  if (!proposalIds.every((chosen) => now.proposals.some(({ id }) => id === chosen))) {
    const message = "One of these proposals has ended, or you no longer represent this party in it: choose again."
    return { field: "proposals", message }
  }
  // The only conflict of a grant is a proposal that is in the scope of too many agents.
  const field = code === "STATE_CONFLICT" ? "proposals" : "preset"
  return { field, message: facts.detail ?? "This can no longer be delegated: choose again." }
}

/** True for refusals after which the form is shown again with its current options. */
export const isSelectionRefusal = ({ code }: Refusal): boolean =>
  code === "FORBIDDEN" || code === "INVALID_REQUEST" || code === "STATE_CONFLICT"

const problemsOfActions = (values: GrantValues): ReadonlyArray<Problem> => {
  const { preset, actions } = values
  const isSingle = preset === singleActionsPreset
  const isEmpty = actions.length === 0 && consentsIn(values).length === 0
  return firstOfEach(
    brokenRules([
      [isSingle && isEmpty, "preset", "Tick at least one action, or choose read only."],
      [
        !isSingle && actions.length > 0,
        "preset",
        "Single actions are ticked too: choose single actions, or untick them."
      ],
      [
        preset === "READ_ONLY" && !isEmpty,
        "preset",
        "A read-only agent takes no decisions: choose again, or untick the consents."
      ]
    ])
  )
}

const problemsOfScope = ({ projects, proposals }: GrantValues): ReadonlyArray<Problem> => {
  const { projectsPerGrant, proposalsPerGrant } = limits
  return brokenRules([
    [projects.length > projectsPerGrant, "projects", `Limit reached: ${projectsPerGrant} projects for each agent.`],
    [proposals.length > proposalsPerGrant, "proposals", `Limit reached: ${proposalsPerGrant} proposals for each agent.`]
  ])
}

const problemsOfRequirements = (values: GrantValues): ReadonlyArray<Problem> =>
  requirementsOf(values)
    .filter(({ text, decisions }) => text === "" && decisions.length > 0)
    .map(({ row }) => ({
      field: `requirement${row}`,
      message: `Requirement ${row} is needed, because it reserves decisions for people.`
    }))

const consentsIn = (values: GrantValues): ReadonlyArray<GuardedAction> =>
  guardedActions.filter((action) => values[consentFields[action]])

const requirementsIn = (values: GrantValues): ReadonlyArray<SubjectRequirement> =>
  requirementsOf(values)
    .filter(({ text }) => text !== "")
    .map(({ row, text, decisions }) => ({
      id: `requirement-${row}`,
      statement: text,
      humanDecisions: [...new Set(decisions)]
    }))

const requirementsOf = (values: GrantValues) =>
  requirementRows.map((row) => ({
    row,
    text: values[`requirement${row}`],
    decisions: values[`requirement${row}Decisions`]
  }))

export const grantSchema = ({ role, actions, projects, proposals }: GrantChoices) =>
  Schema.Struct({
    projects: anyOf(
      "the projects",
      projects.map(({ projectId }) => projectId)
    ),
    proposals: anyOf(
      "the proposals",
      proposals.map(({ id }) => id)
    ),
    preset: oneOf("what the agent may do", [...Object.keys(presets[role]), singleActionsPreset]),
    actions: anyOf("the actions", actions),
    consentToConfirm: checkboxValue,
    consentToIssue: checkboxValue,
    days: wholeNumber("The days", 1, maxDays),
    requirement1: requirement(1),
    requirement1Decisions: reservedDecisions,
    requirement2: requirement(2),
    requirement2Decisions: reservedDecisions,
    requirement3: requirement(3),
    requirement3Decisions: reservedDecisions
  })

export type GrantValues = ReturnType<typeof grantSchema>["Type"]

// The field is absent where no permitted action creates an agreement or proposal.
const requirement = (row: number) =>
  optionalLines(`Requirement ${row}`, limits.textCharacters).pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
const reservedDecisions = anyOf("the decisions", humanDecisions)

export const requirementRows = [1, 2, 3] as const
export const singleActionsPreset = "CHOSEN"
const day = 86_400_000
export const maxDays = limits.credentialLifetime / day
/** The initial value of the form: short, so that grants are reviewed soon. */
export const defaultDays = 7
export const consentFields = { CONFIRM_COMPLETION: "consentToConfirm", ISSUE_RESULT_RECORD: "consentToIssue" } as const
