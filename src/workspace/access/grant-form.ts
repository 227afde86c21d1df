/** The fields that define a grant; the same for a connection and for a token made by hand. */
import { Effect, Result } from "effect"
import { h } from "preact"
import type { ApprovalInput } from "../../access/approval.ts"
import { humanDecisions, presets, type Action } from "../../access/actions.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { checkbox, checkboxGroup, radioGroup } from "../kit/choices.ts"
import { textArea, textField, type Choice, type FormState } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import type { Element } from "../kit/html.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { linkTo, list, notice, paragraph, section, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { actionLabels, decisionLabels, guardedConsents, presetLabels, actionsText } from "../kit/labels.ts"
import { readGrantChoices, type GrantChoices, type OrganizationRole } from "./grant-choices.ts"
import { scopeFields } from "./grant-scope.ts"
import {
  singleActionsPreset,
  buildGrantSelection,
  consentFields,
  maxDays,
  defaultDays,
  requirementRows,
  grantSchema,
  isSelectionRefusal,
  problemFromRefusal,
  type GrantSelection
} from "./grant-values.ts"

/** Nothing is preselected. `returnTo` is the URL of this form: a sign-in for a guarded action returns to it. */
export const grantFields = (state: FormState, choices: GrantChoices, returnTo: string): ReadonlyArray<Element> => [
  ...scopeFields(state, choices),
  radioGroup(state, { name: "preset", legend: "What may it do there?", choices: presetChoices(choices) }),
  ...actionsField(state, choices),
  ...guardedFields(state, choices, returnTo),
  daysField(state, choices),
  ...requirementsFields(state, choices)
]

const presetChoices = ({ role, actions }: GrantChoices): ReadonlyArray<Choice> => [
  ...Object.entries(presets[role])
    .filter(([, held]) => held.every((action) => actions.includes(action)))
    .map(([name, held]) => ({
      value: name,
      label: presetLabels[name] ?? name,
      hint: held.length === 0 ? "It changes nothing." : actionsText(held)
    })),
  { value: singleActionsPreset, label: "Single actions, chosen here:" }
]

const actionsField = (state: FormState, { actions, withheld }: GrantChoices): ReadonlyArray<Element> => [
  ...(actions.length === 0
    ? []
    : [
        checkboxGroup(state, {
          name: "actions",
          legend: "Single actions",
          hint: handoffHint,
          choices: actions.map((action) => ({ value: action, label: actionLabels[action] }))
        })
      ]),
  ...(withheld.length === 0
    ? []
    : [
        paragraph(
          "You cannot delegate these, because your membership does not include them: ",
          actionsText(withheld),
          "."
        )
      ])
]

const handoffHint =
  "With any action, also one that a choice above contains, the agent may hand a project over to people, which pauses the agents of both parties; with an action on proposals, also a proposal."

/** Guarded actions: in no preset, each with a consent of its own. */
const guardedFields = (
  state: FormState,
  { guarded, isRecent }: GrantChoices,
  returnTo: string
): ReadonlyArray<Element> =>
  guarded.length === 0
    ? []
    : [
        section(
          "Accepting and issuing",
          "No choice above contains these. Each needs its own consent; without it the agent cannot do it.",
          guarded.length > 1 ? paragraph(bothConsentsHint) : null,
          isRecent
            ? guarded.map((action) =>
                checkbox(state, {
                  name: consentFields[action],
                  label: guardedConsents[action],
                  hint: `It may: ${actionLabels[action]}.`
                })
              )
            : signInFirst(guarded, returnTo)
        )
      ]

const bothConsentsHint =
  "With both consents, each acceptance issues its record at once and uses one of your organization’s credits."

const signInFirst = (guarded: ReadonlyArray<Action>, returnTo: string): Element =>
  notice(
    "warning",
    list(guarded.map((action) => actionLabels[action])),
    "To let an agent do one of these you must have signed in within the last five minutes. If you sign in again now, you return to this page, and the values entered so far are lost.",
    paragraph(linkTo(signInAgainPath(returnTo), "Sign in again and return to this page"))
  )

const daysField = (state: FormState, { validUntil }: GrantChoices): Element =>
  textField(state, {
    name: "days",
    label: "For how many days?",
    hint: [
      `1 to ${maxDays}, and at most until your membership ends on `,
      time(validUntil),
      ". You can renew it, and revoke it at any time."
    ],
    value: String(defaultDays),
    inputMode: "numeric",
    size: "short"
  })

/** Collapsed while it is empty: few grants need requirements. */
const requirementsFields = (state: FormState, { actions }: GrantChoices): ReadonlyArray<Element> =>
  actions.includes("CREATE_PROJECT") || actions.includes("CREATE_PROPOSAL")
    ? [
        h(
          "details",
          { open: Object.entries(state.sent ?? {}).some(([name, sent]) => /^requirement\d/.test(name) && sent !== "") },
          h("summary", null, "Requirements for what the agent creates (optional)"),
          paragraph(
            "Every agreement and proposal that this agent creates carries these requirements word for word. The decisions that you reserve for people are refused to agents."
          ),
          requirementRows.map((row) => [
            textArea(state, {
              name: `requirement${row}`,
              label: `Requirement ${row}`,
              isOptional: true,
              rows: 2,
              maxLength: limits.textCharacters
            }),
            checkboxGroup(state, {
              name: `requirement${row}Decisions`,
              legend: `Reserved for people by requirement ${row}`,
              choices: humanDecisions.map((decision) => ({ value: decision, label: decisionLabels[decision] }))
            })
          ])
        )
      ]
    : []

/** After a refusal of the selection: the current options, and the problem. Other refusals are passed on. */
export const readChoicesAgain =
  (visitor: Visitor, organizationRole: OrganizationRole, input: ApprovalInput) => (refused: Refusal) =>
    isSelectionRefusal(refused)
      ? Effect.map(readGrantChoices(visitor, organizationRole), (choices) => ({
          choices,
          problems: [problemFromRefusal(refused, input, choices)]
        }))
      : Effect.fail(refused)

export interface DecodedGrantForm {
  readonly grant: Result.Result<GrantSelection, FormState>
  /** The remaining fields, which belong to the surrounding page. */
  readonly rest: FormSubmission
}

/** Decodes the fields of the grant; the page decodes the rest. */
export const decodeGrantForm = Effect.fnUntraced(function* (
  choices: GrantChoices,
  sent: FormSubmission
): Effect.fn.Return<DecodedGrantForm, Refusal> {
  const schema = grantSchema(choices)
  const entries = Object.entries(sent.fields)
  const isOurs = ([name]: readonly [string, unknown]) => Object.hasOwn(schema.fields, name)
  const grantFieldsOnly = { ...sent, fields: Object.fromEntries(entries.filter(isOurs)) }
  const rest = { ...sent, fields: Object.fromEntries(entries.filter((entry) => !isOurs(entry))) }
  const now = yield* currentTime
  const decoded = yield* decodeForm(schema, grantFieldsOnly)
  return {
    grant: Result.flatMap(decoded, (values) => buildGrantSelection(choices, values, grantFieldsOnly, now)),
    rest
  }
})
