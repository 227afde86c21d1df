/** The page of one draft: its content, its missing fields, and the forms that finish or discard it. */
import { Effect, Layer, Result, Schema } from "effect"
import { finishPath } from "../../drafts/draft.ts"
import type { DraftView } from "../../drafts/person-wire.ts"
import { discardDraft, readDraftAsPerson } from "../../drafts/person-operations.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { checkbox } from "../kit/choices.ts"
import { form, hidden } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { requiredCheckbox, wholeNumber } from "../kit/form-values.ts"
import type { EnteredTerms } from "../agreements/terms-form.ts"
import { agreementKind } from "../agreements/new.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { facts, linkTo, list, nextStep, notice, paragraph, section, time } from "../kit/parts.ts"
import { requestIdField, requestOf, takeRequestId, newForm, type PageForm } from "../kit/idempotent-form.ts"
import { pageResponse, refusedResponse } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { roleLabels } from "../kit/labels.ts"
import { readMemberships } from "../organization/own-membership.ts"
import { proposalKind } from "../proposals/new.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { draftStateBadge, missingFieldLabel, preparerText } from "./labels.ts"
import { draftFacts } from "./content.ts"
import { draftProgress, stepAddress, withChoices, type DraftKind } from "./kind.ts"
import { draftPath, draftsPath } from "./path.ts"
import { stepList } from "./step-list.ts"
import { draftSteps, openStep } from "./steps.ts"

type Draft = typeof DraftView.Type

const address = `${draftsPath}/:draftId` as const

const show = signedInPage(address, function* (visitor) {
  const draft = yield* readDraftAsPerson(visitor.person, yield* pathId("draftId", "draft"))
  return pageResponse(yield* showDraft(visitor, draft, yield* newForm))
})

/** The form that discards a draft, as last submitted. */
interface DiscardForm extends PageForm {
  /** A message at the top, where the page is shown again. */
  readonly message?: Content
}

const showDraft = Effect.fnUntraced(function* (visitor: Visitor, draft: Draft, discarding: DiscardForm) {
  const own = (yield* readMemberships(visitor.person)).find((one) => one.organizationId === draft.organizationId)
  const { authority } = draft.role === "BUYER" ? agreementKind : proposalKind
  const mayFinish = own?.authorities.includes(authority) ?? false
  const { viewer } = visitor
  const { content } = draft
  const isOpen = draft.state === "DRAFT"
  return page(
    {
      title: content.title === undefined ? "Draft without a title" : content.title,
      viewer,
      place: "drafts",
      // Problems link to their fields: omit those whose form is not shown.
      problems: isOpen ? discarding.state.problems : []
    },
    discarding.message,
    paragraph(draftStateBadge(draft.state), " ", stateSentence(draft)),
    facts([
      ["Side", roleLabels[draft.role]],
      ["Organization", untrusted(own?.organizationName ?? draft.organizationId)],
      ["Prepared by", preparerText(draft.preparedBy)],
      ["Prepared", time(draft.createdAt)],
      ["Changed last", time(draft.changedAt)]
    ]),
    isOpen ? nextSection(draft, yield* readSteps(visitor, draft, mayFinish)) : null,
    section("Content", "Its author wrote all of this; it has been neither checked nor agreed on.", draftFacts(content)),
    isOpen ? section("Discard it", discardForm(visitor, draft, discarding)) : null,
    paragraph(linkTo(draftsPath, "All drafts"))
  )
})

const stateSentence = ({ state, role, outcomeId }: Draft): Content => {
  if (state === "DISCARDED") return "It was discarded without effect."
  if (state === "DRAFT") return "None of it has been sent, agreed on or signed."
  return role === "BUYER"
    ? ["It became an agreement: ", linkTo(`/workspace/projects/${outcomeId}`, "go to the project"), "."]
    : ["It became a proposal: ", linkTo(`/workspace/proposals/${outcomeId}`, "go to the proposal"), "."]
}

/** The steps for a person who may finish the draft. */
interface Steps {
  readonly list: Element
  /** The name of the first step that is not complete; undefined where each is. */
  readonly open: string | undefined
  /** A sentence for each value that is missing or has to be changed. */
  readonly problems: ReadonlyArray<string>
}

const readSteps = (visitor: Visitor, draft: Draft, mayFinish: boolean) => {
  if (!mayFinish) return Effect.undefined
  return draft.role === "BUYER" ? stepsOf(agreementKind, visitor, draft) : stepsOf(proposalKind, visitor, draft)
}

const stepsOf = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  visitor: Visitor,
  draft: Draft
) {
  const progress = yield* draftProgress(kind, yield* withChoices(kind, visitor, draft))
  return {
    list: stepList(progress, undefined, (step) => stepAddress(kind, draft.draftId, step)),
    open: draftSteps.find(({ path }) => path === openStep(progress))?.name,
    problems: progress.flatMap(({ problems }) => problems.map(({ message }) => message))
  } satisfies Steps
})

const nextSection = ({ draftId, role, missing }: Draft, steps: Steps | undefined): Content =>
  section(
    "What is next",
    steps?.list,
    stateOfContent(missing, steps),
    steps !== undefined
      ? nextStep(finishPath(role, draftId), `Continue with ${steps.open?.toLowerCase() ?? "the preview"}`)
      : paragraph(
          role === "BUYER"
            ? "A member who may make agreements finishes it."
            : "A member who may write proposals finishes it.",
          " You can read and discard it here, but not change or finish it."
        )
  )

/** The form fills in some of what an agent may leave out, and finds values that contradict each other: its steps prevail. */
const stateOfContent = (missing: Draft["missing"], steps: Steps | undefined): Content => {
  if (steps === undefined) {
    return missing.length === 0 ? "Nothing is missing." : ["Missing:", list(missing.map(missingFieldLabel))]
  }
  return steps.open === undefined
    ? "It is complete: its preview is next."
    : ["To be completed or changed:", list(steps.problems)]
}

const discardForm = ({ viewer }: Visitor, { draftId, revision }: Draft, { state, requestId }: DiscardForm): Content =>
  form(
    {
      action: `${draftsPath}/${draftId}/discard`,
      formToken: viewer.formToken,
      submitLabel: "Discard this draft",
      isDangerous: true
    },
    paragraph("It remains readable here and can no longer be finished."),
    requestIdField(requestId),
    // The revision that was shown, not one that was saved later.
    hidden("revision", String(state.sent?.["revision"] ?? revision)),
    checkbox(state, { name: "confirmed", label: "I discard this draft. It cannot be taken back." })
  )

const Discard = Schema.Struct({
  revision: wholeNumber("The revision", 1, 999_999_999),
  confirmed: requiredCheckbox("Tick the box to discard the draft.")
})

const discard = signedInForm({ path: `${address}/discard`, shownAt: address }, function* (visitor, sent) {
  const draftId = yield* pathId("draftId", "draft")
  const { requestId, form } = yield* takeRequestId(sent)
  const decoded = yield* decodeForm(Discard, form)
  if (Result.isFailure(decoded)) {
    const { problems } = decoded.failure
    if (problems.some(({ field }) => field !== "confirmed")) return yield* refuse("INVALID_REQUEST")
    const draft = yield* readDraftAsPerson(visitor.person, draftId)
    return pageResponse(yield* showDraft(visitor, draft, { state: decoded.failure, requestId }), 400)
  }
  const { revision } = decoded.success
  const request = requestOf(visitor, requestId, "discardDraft", { pathIds: [draftId], values: { revision } })
  return yield* discardDraft(visitor.person, request, { draftId, revision }).pipe(
    Effect.andThen(
      acknowledge(visitor, draftPath(draftId), {
        did: "You discarded the draft.",
        next: "It stays readable, and nothing can be made of it."
      })
    ),
    Effect.catchTag("Refusal", (refused) =>
      refused.code === "DRAFT_CHANGED" || refused.code === "REQUEST_ID_CONFLICT"
        ? Effect.map(showNewest(visitor, draftId), (html) => refusedResponse(html, refused))
        : Effect.fail(refused)
    )
  )
})

/** Shows the current draft, so that the person decides on its current content. */
const showNewest = Effect.fnUntraced(function* (visitor: Visitor, draftId: string) {
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  const message = notice(
    "warning",
    "The draft has changed meanwhile. Nothing was done: read its current content and decide again."
  )
  return yield* showDraft(visitor, draft, { ...(yield* newForm), message })
})

export const draftDetail = Layer.merge(show, discard)
