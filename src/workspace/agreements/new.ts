/** Makes an agreement for one of a person's organizations, from an empty form or a draft. */
import { Effect, Layer } from "effect"
import { commitDraft } from "../../drafts/finish.ts"
import { createProjectAsPerson } from "../../projects/person-operations.ts"
import { untrusted } from "../kit/html.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { submittedFields, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { signedInForm } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import type { TermsChoices } from "./choices.ts"
import { respondAfterCommand } from "../commands/outcome-pages.ts"
import { agreementForm, handleDraftingStep, previewNames, type DraftingPage } from "./drafting.ts"
import {
  draftDescription,
  respondToSaveConflict,
  draftPageOptions,
  saveFormAsDraft,
  type FormDraft
} from "./finish-draft.ts"
import { saveStep, stepName } from "./form.ts"
import { fieldsFromDraft } from "./prefill.ts"
import { readStart, startPage } from "./start.ts"
import { showForm, withoutFields } from "./steps.ts"

const path = "/workspace/projects/new"
const title = "Make an agreement"

const draftingFor = (visitor: Visitor, choices: TermsChoices, opened: FormDraft | undefined): DraftingPage => ({
  visitor,
  path,
  title,
  choices,
  isSaved: true,
  carried: { organizationId: choices.organizationId },
  ...(opened === undefined ? {} : draftPageOptions(opened)),
  before: [
    paragraph(
      "You make it as buyer for ",
      untrusted(choices.organizationName),
      ". ",
      linkTo("/workspace/projects", "My projects")
    ),
    paragraph("Nothing is done until you have read the preview and committed it there."),
    opened === undefined ? null : draftDescription(opened.draft)
  ],
  effect: [
    paragraph(
      "It is made at once, as your organization’s agreement, and waits for the supplier’s answer. The supplier accepts these exact terms, asks for others, or declines."
    ),
    paragraph("Your agents have access to it only with a new grant.")
  ],
  commitLabel: "Make this agreement"
})

const take = signedInForm(path, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const { organizationId, opened, fields, choices } = yield* readStart(visitor, form, "AGREEMENT_CREATE")
    const draftingWith = (now: FormDraft | undefined) => draftingFor(visitor, choices, now)
    const taken = { requestId, form: { ...form, fields } }
    if (fields[stepName] === saveStep) return yield* saveFormAsDraft(draftingWith, taken, opened)
    return yield* handleDraftingStep(draftingWith(opened), taken, ({ terms }) => {
      const input = { requestId, ...terms }
      const requestFor = (operation: string, pathIds: ReadonlyArray<string> = []) =>
        requestOf(visitor, requestId, operation, { pathIds, values: submittedFields(form) })
      const making =
        opened === undefined
          ? createProjectAsPerson(visitor.person, requestFor("createOwnProject"), { organizationId, ...input })
          : commitDraft(visitor.person, requestFor("commitDraft", [opened.draft.draftId]), {
              draftId: opened.draft.draftId,
              revision: opened.revision,
              ...input
            })
      return Effect.flatMap(making, ({ project, emailUpdate }) =>
        respondAfterCommand(visitor, "projects", { id: project.taskId, emailUpdate })
      ).pipe(
        Effect.catchTag("Refusal", (refused) =>
          refused.code === "DRAFT_CHANGED"
            ? respondToSaveConflict(draftingWith, refused, { fields: withoutFields(fields, previewNames), opened })
            : Effect.fail(refused)
        )
      )
    })
  })
)

const show = startPage({
  path,
  title,
  place: "projects",
  authority: "AGREEMENT_CREATE",
  role: "BUYER",
  fieldsFromDraft,
  showForm: (visitor, choices, opened, state, requestId) =>
    showForm(agreementForm(draftingFor(visitor, choices, opened)), state, requestId),
  afterChoice: null
})

export const agreementCreation = Layer.merge(show, take)
