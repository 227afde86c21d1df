/** Makes an agreement for one of a person's organizations, from an empty form or a draft. */
import { Effect, Layer, Schema } from "effect"
import { commitDraft } from "../../drafts/finish.ts"
import { createProjectAsPerson } from "../../projects/person-operations.ts"
import { readDraftAsPerson } from "../../drafts/person-operations.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { emptyForm } from "../kit/fields.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, paragraph } from "../kit/parts.ts"
import { submittedFields, newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readAgreementChoices, readAgreementMemberships, type AgreementChoices } from "./choices.ts"
import { respondAfterCommand } from "../commands/after-command.ts"
import { projects } from "../projects/subject.ts"
import {
  draftDescription,
  respondToSaveConflict,
  draftPageOptions,
  draftName,
  isDraftId,
  saveFormAsDraft,
  readFormDraft,
  revisionName,
  type FormDraft
} from "./finish-draft.ts"
import { saveStep, stepName } from "./form.ts"
import { confirmationDigestName, previewDigestName } from "./preview.ts"
import { foreignFormDetail } from "./rows.ts"
import { showForm, handleDraftingStep, type DraftingPage } from "./steps.ts"
import { draftPath } from "../drafts/path.ts"
import { fieldsFromDraft } from "./draft-prefill.ts"

const path = "/workspace/projects/new"
const title = "Make an agreement"

const show = signedInPage(path, (visitor) =>
  Effect.gen(function* () {
    const query = yield* readQueryParameters
    const draftId = query("draft")
    if (draftId !== undefined) return yield* showDraft(visitor, draftId)
    const asked = query("organizationId")
    const makers = yield* readAgreementMemberships(visitor.person)
    const only = makers.length === 1 ? makers[0]!.organizationId : undefined
    const organizationId = isOrganization(asked) ? asked : only
    if (organizationId === undefined) return pageResponse(choicePage(visitor, makers))
    const choices = yield* readAgreementChoices(visitor.person, organizationId)
    return pageResponse(showForm(draftingFor(visitor, choices, undefined), emptyForm, yield* newRequestId))
  })
)

/** A person who may read the draft but not finish it is redirected to its page. */
const showDraft = Effect.fnUntraced(function* (visitor: Visitor, draftId: string) {
  if (!isDraftId(draftId)) return yield* refuse("NOT_FOUND")
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  const makers = yield* readAgreementMemberships(visitor.person)
  const isMaker = makers.some(({ organizationId }) => organizationId === draft.organizationId)
  if (draft.role !== "BUYER" || draft.state !== "DRAFT" || !isMaker) return seeOther(draftPath(draftId))
  const choices = yield* readAgreementChoices(visitor.person, draft.organizationId)
  const state = { sent: fieldsFromDraft(draft.content, choices), problems: [] }
  const drafting = draftingFor(visitor, choices, { draft, revision: draft.revision })
  return pageResponse(showForm(drafting, state, yield* newRequestId))
})

const isOrganization = Schema.is(idOf("organization"))

const choicePage = ({ viewer }: Visitor, makers: Effect.Success<ReturnType<typeof readAgreementMemberships>>): string =>
  page(
    { title, viewer, place: "projects" },
    makers.length === 0
      ? paragraph("You are in no organization for which you may make agreements.")
      : [
          paragraph("For which of your organizations?"),
          list(
            makers.map(({ organizationId, organizationName }) =>
              linkTo(`${path}?organizationId=${organizationId}`, untrusted(organizationName))
            )
          )
        ]
  )

const draftingFor = (visitor: Visitor, choices: AgreementChoices, opened: FormDraft | undefined): DraftingPage => ({
  visitor,
  path,
  title,
  choices,
  isRevision: false,
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
  firstFields: () => null,
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
    const { organizationId, [draftName]: draftId, [revisionName]: revision, ...fields } = form.fields
    const opened = yield* readFormDraft(visitor, draftId, revision)
    if (!isOrganization(organizationId) || (opened !== undefined && opened.draft.organizationId !== organizationId)) {
      return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    }
    const choices = yield* readAgreementChoices(visitor.person, organizationId)
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
      const { [confirmationDigestName]: _, [previewDigestName]: __, ...sentFields } = fields
      return Effect.flatMap(making, ({ project, emailUpdate }) =>
        respondAfterCommand(visitor, projects, { id: project.taskId, emailUpdate })
      ).pipe(
        Effect.catchTag("Refusal", (refused) =>
          refused.code === "DRAFT_CHANGED"
            ? respondToSaveConflict(draftingWith, refused, { fields: sentFields, opened })
            : Effect.fail(refused)
        )
      )
    })
  })
)

export const agreementCreation = Layer.merge(show, take)
