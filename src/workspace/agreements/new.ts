/** Makes an agreement for one of a person's organizations, from an empty form or a draft. */
import { Effect, Layer } from "effect"
import { commitDraft } from "../../drafts/finish.ts"
import { createProjectAsPerson } from "../../projects/person-operations.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { submittedFields, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { respondAfterCommand } from "../commands/outcome-pages.ts"
import { agreementForm, handleDraftingStep, previewNames } from "./drafting.ts"
import { respondToSaveConflict, saveFormAsDraft, type FormDraft } from "./finish-draft.ts"
import { saveStep, stepName } from "./form.ts"
import { fieldsFromDraft } from "./prefill.ts"
import { readStart, startedPage, startPage, type StartPage } from "./start.ts"
import { showForm, withoutFields } from "./steps.ts"

const start: StartPage = {
  path: "/workspace/projects/new",
  title: "Make an agreement",
  place: "projects",
  authority: "AGREEMENT_CREATE",
  role: "BUYER",
  writer: "You make it as buyer for ",
  all: linkTo("/workspace/projects", "My projects"),
  note: "Nothing is done until you have read the preview and committed it there.",
  effect: [
    paragraph(
      "It is made at once, as your organization’s agreement, and waits for the supplier’s answer. The supplier accepts these exact terms, asks for others, or declines."
    ),
    paragraph("Your agents have access to it only with a new grant.")
  ],
  commitLabel: "Make this agreement",
  fieldsFromDraft,
  showForm: (page, state, requestId) => showForm(agreementForm({ ...page, isSaved: true }), state, requestId),
  afterChoice: null
}

const made = {
  did: "You made this agreement.",
  next: "The supplier accepts these exact terms, asks for others, or declines."
}

const take = signedInForm(start.path, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const { organizationId, opened, fields, choices } = yield* readStart(visitor, form, start.authority)
    const draftingWith = (now: FormDraft | undefined) => ({
      ...startedPage(start, visitor, choices, now),
      isSaved: true
    })
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
        respondAfterCommand(visitor, "projects", { id: project.taskId, emailUpdate }, made)
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

export const agreementCreation = Layer.merge(startPage(start), take)
