/** One draft as a person reads it: whatever stands in it, what it lacks, and how it goes on or ends. */
import { Effect, Layer, Result, Schema } from "effect"
import { finishPath } from "../../drafts/draft.ts"
import type { DraftView } from "../../drafts/human-wire.ts"
import { discardDraft, readDraftAsPerson } from "../../drafts/person-operations.ts"
import { readStanding } from "../../people/standing.ts"
import { refuse, statusOf } from "../../vocabulary/refusals.ts"
import { pathId } from "../address.ts"
import { checkbox } from "../choices.ts"
import { draftStateBadge, missingWords, preparedWords } from "../draft-words.ts"
import { emptyForm, form, hidden, type FormState } from "../fields.ts"
import { decodeForm } from "../form.ts"
import { mustBeTicked, wholeNumber } from "../form-values.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { facts, linkTo, list, nextStep, notice, paragraph, section, time } from "../parts.ts"
import { newRequestId, requestIdField, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords } from "../words.ts"
import { draftFacts } from "./drafts-content.ts"
import { draftPath, draftsPath } from "./drafts-path.ts"

type Draft = typeof DraftView.Type

const address = `${draftsPath}/:draftId` as const

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const draft = yield* readDraftAsPerson(visitor.person, yield* pathId("draftId", "draft"))
    return pageResponse(yield* showDraft(visitor, draft, { state: emptyForm, requestId: yield* newRequestId }))
  })
)

/** The form that discards a draft, as it was sent last. */
interface Discarding {
  readonly state: FormState
  readonly requestId: string
  /** Said before everything else, where the page is shown once more. */
  readonly said?: Content
}

const showDraft = Effect.fnUntraced(function* (visitor: Visitor, draft: Draft, discarding: Discarding) {
  const { memberships } = yield* readStanding(visitor.person)
  const own = memberships.find(({ organizationId, isInForce }) => isInForce && organizationId === draft.organizationId)
  const finishes = draft.role === "BUYER" ? "AGREEMENT_CREATE" : "PROPOSAL_MANAGE"
  const mayFinish = own?.authorities.includes(finishes) ?? false
  const { viewer } = visitor
  const { content } = draft
  const isOpen = draft.state === "DRAFT"
  return page(
    {
      title: content.title === undefined ? "Draft without a title" : content.title,
      viewer,
      place: "drafts",
      // A problem leads to its field: none where its form is shown no more.
      problems: isOpen ? discarding.state.problems : []
    },
    discarding.said,
    paragraph(draftStateBadge(draft.state), " ", stateSentence(draft)),
    facts([
      ["Side", roleWords[draft.role]],
      ["Organization", untrusted(own?.organizationName ?? draft.organizationId)],
      ["Prepared by", preparedWords(draft.preparedBy)],
      ["Prepared", time(draft.createdAt)],
      ["Changed last", time(draft.changedAt)]
    ]),
    isOpen ? goingOn(draft, mayFinish) : null,
    section(
      "What stands in it",
      paragraph("Whoever prepared it wrote every word; nobody has checked or agreed on any of it."),
      draftFacts(content)
    ),
    isOpen ? section("Discard it", discardForm(visitor, draft, discarding)) : null,
    paragraph(linkTo(draftsPath, "All drafts"))
  )
})

const stateSentence = ({ state, role, outcomeId }: Draft): Content => {
  if (state === "DISCARDED") return "It was discarded; nothing came of it."
  if (state === "DRAFT") return "Nothing of it is sent, agreed on or signed."
  return role === "BUYER"
    ? ["It became an agreement: ", linkTo(`/workspace/projects/${outcomeId}`, "go to the project"), "."]
    : ["It became a proposal: ", linkTo(`/workspace/proposals/${outcomeId}`, "go to the proposal"), "."]
}

const goingOn = ({ draftId, role, missing }: Draft, mayFinish: boolean): Content =>
  section(
    "What is next",
    missing.length === 0
      ? paragraph("Everything that is needed is there. Read it before you go on.")
      : [paragraph("It still needs:"), list(missing.map(missingWords))],
    mayFinish
      ? [
          role === "BUYER" ? null : paragraph(notKept),
          nextStep(finishPath(role, draftId), role === "BUYER" ? "Go on in the form" : "Go on to a proposal")
        ]
      : paragraph(
          role === "BUYER"
            ? "A member who may make agreements finishes it."
            : "A member who may write proposals finishes it.",
          " You can read and discard it here, and not change or finish it."
        )
  )

const notKept =
  "What you enter there is not kept in this draft. It becomes a proposal, which nobody outside your organization sees before you publish it."

const discardForm = ({ viewer }: Visitor, { draftId, revision }: Draft, { state, requestId }: Discarding): Content =>
  form(
    {
      action: `${draftsPath}/${draftId}/discard`,
      formToken: viewer.formToken,
      submitLabel: "Discard this draft",
      isDangerous: true
    },
    paragraph("It stays readable here, and nobody can finish it any more."),
    requestIdField(requestId),
    // What the person read: not what somebody may have saved since.
    hidden("revision", String(state.sent?.["revision"] ?? revision)),
    checkbox(state, { name: "confirmed", label: "I discard this draft. It cannot be taken back." })
  )

const Discard = Schema.Struct({
  revision: wholeNumber("The revision", 1, 999_999_999),
  confirmed: mustBeTicked("Tick the box to discard the draft.")
})

const discard = signedInForm({ path: `${address}/discard`, shownAt: address }, (visitor, sent) =>
  Effect.gen(function* () {
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
      Effect.as(seeOther(draftPath(draftId))),
      Effect.catchTag("Refused", (refused) =>
        refused.code === "DRAFT_CHANGED" || refused.code === "REQUEST_ID_CONFLICT"
          ? Effect.map(showNewest(visitor, draftId), (html) => pageResponse(html, statusOf(refused)))
          : Effect.fail(refused)
      )
    )
  })
)

/** The draft as it stands now: it is discarded by somebody who read that. */
const showNewest = Effect.fnUntraced(function* (visitor: Visitor, draftId: string) {
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  const said = notice(
    "warning",
    paragraph("The draft has changed meanwhile. Nothing was done: read what stands here now, and decide again.")
  )
  return yield* showDraft(visitor, draft, { state: emptyForm, requestId: yield* newRequestId, said })
})

export const draftDetail = Layer.merge(show, discard)
