/** Decodes sections of an agreement's form as a draft: empty fields are unfinished, and none is required. */
import { Effect, Result } from "effect"
import type { DraftContent } from "../../drafts/content.ts"
import { definedMembers, optionalGroup } from "../../drafts/input.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { FormState, Problem } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { isPersonId, personIdFormat } from "../kit/person-id.ts"
import type { TermsChoices } from "./choices.ts"
import { fields, formSections, type FormSection } from "./fields.ts"
import { decodePartialRows, rowKinds } from "./rows.ts"
import { signingWayOf } from "./prefill.ts"
import { enteredContent, recipientProblems, supplierOf, valuesSchema, type EnteredValues } from "./values.ts"

/** The draft with the entered values of these sections; what they do not show is preserved. */
export const decodePartialDraft = Effect.fnUntraced(function* (
  choices: Pick<TermsChoices, "contacts">,
  before: DraftContent,
  sent: FormSubmission,
  sections: ReadonlyArray<FormSection> = formSections
): Effect.fn.Return<Result.Result<DraftContent, FormState>, Refusal> {
  const { rows, rest } = yield* decodePartialRows({ ...sent, fields: { ...noRows, ...sent.fields } }, before.criteria)
  const decoded = Result.map(
    yield* decodeForm(valuesSchema(false, sections), rest),
    (values) => values as unknown as EnteredValues
  )
  const problems = [
    ...(Result.isFailure(decoded) ? decoded.failure.problems : valueProblems(decoded.success)),
    ...(Result.isFailure(rows) ? rows.failure : [])
  ]
  if (Result.isFailure(decoded) || Result.isFailure(rows) || problems.length > 0) {
    return Result.fail({ sent: sent.fields, problems })
  }
  const content = contentFrom(decoded.success, choices, sections.includes("signing") ? before : withoutSigning(before))
  const recipient = sections.includes("parties") ? recipientOf(before, content) : {}
  return Result.succeed({ ...membersOutside(sections, before), ...recipient, ...content, ...rows.success })
})

/** For sections without rows. */
const noRows = { [rowKinds.criterion.countName]: "1", [rowKinds.requirement.countName]: "0" }

const valueProblems = (values: EnteredValues): ReadonlyArray<Problem> => [
  ...fields
    .filter(({ control, formName }) => control === "personId" && isMistyped(values[formName]))
    .map(({ formName }) => ({ field: formName, message: personIdFormat })),
  ...recipientProblems(values)
]

const isMistyped = (personId: string | undefined): boolean =>
  personId !== undefined && personId !== "" && !isPersonId(personId)

/** The members that these sections do not show. */
const membersOutside = (sections: ReadonlyArray<FormSection>, content: DraftContent): DraftContent => {
  const shown = new Set(sections.flatMap(membersIn))
  return Object.fromEntries(Object.entries(content).filter(([name]) => !shown.has(name)))
}

/** The members of a draft that a section shows. */
export const membersIn = (section: FormSection): ReadonlyArray<string> => [
  ...(otherMembers[section] ?? []),
  ...fields.filter((field) => field.section === section).map(({ path: { group, name } }) => group ?? name)
]

const otherMembers: { readonly [S in FormSection]?: ReadonlyArray<keyof DraftContent> } = {
  parties: ["recipient"],
  criteria: ["criteria"],
  requirements: ["subjectRequirements"],
  signing: ["externalSigning"]
}

/**
 * The recipient, where the form shows the supplier separately. Where no supplier was named, the form shows the
 * recipient as supplier: then its value counts, and a removed supplier does not reappear as recipient.
 */
const recipientOf = (before: DraftContent, after: Pick<DraftContent, "supplierActorId" | "supplierReference">) => {
  const { recipient = {}, supplierActorId, supplierReference } = before
  const isSeparate = (shown: string | undefined, saved: string | undefined) =>
    shown !== undefined && saved !== undefined
  return definedMembers({
    recipient: optionalGroup({
      actorId: isSeparate(supplierActorId, after.supplierActorId) ? recipient.actorId : undefined,
      reference: isSeparate(supplierReference, after.supplierReference) ? recipient.reference : undefined
    })
  })
}

const contentFrom = (
  values: EnteredValues,
  choices: Pick<TermsChoices, "contacts">,
  before: DraftContent
): DraftContent => {
  const { content, groups } = enteredContent(values)
  const { sharingRecipients, ...policy } = groups.termsPolicy
  // An explicitly empty list stays empty; an empty field alone means unspecified.
  const isKept = values.sharingRecipients !== "" || before.termsPolicy?.sharingRecipients?.length === 0
  return {
    ...content,
    ...definedMembers({
      supplierActorId: supplierOf(values, choices),
      termsPolicy: optionalGroup({ ...policy, sharingRecipients: isKept ? sharingRecipients : undefined }),
      originals: optionalGroup(groups.originals),
      signing: optionalGroup({ ...wayFrom(values, before), ...groups.signing })
    })
  }
}

const withoutSigning = (content: DraftContent): DraftContent => {
  const { signing: _, ...others } = content
  return others
}

/** The signing method, unchanged where the form was left as shown. */
const wayFrom = ({ signing: way }: EnteredValues, { signing }: DraftContent) =>
  signing !== undefined && way === signingWayOf(signing)
    ? { enabled: signing.enabled, method: signing.method }
    : { enabled: way === undefined ? undefined : way !== "OFF", method: way === "OFF" ? undefined : way }
