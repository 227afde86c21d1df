/** Agreements that rest on a published result of an earlier, paid transaction, and the requests of people on them. */
import { Effect } from "effect"
import { HistoryReferences } from "../../src/closure/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import { uuid } from "./parties.ts"
import {
  answerOf,
  commandAsPerson,
  personCommandBody,
  readProjectAsPerson,
  runToLocked,
  termsOf
} from "./person-commands.ts"
import { paid, payableResult, payableResultOf, type PayableResult } from "./orders.ts"
import { exportPassport, publish, selectionOf, type Published } from "./publications.ts"
import { send, type SendOptions } from "./service.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody, options, post } from "./workspace.ts"

type Passport = any

/** The passport of these publications of one subject. */
export const passportOf = (subjectId: string, publications: ReadonlyArray<Published>) =>
  Effect.map(exportPassport(subjectId, { selections: publications.map(selectionOf) }), (answer): Passport =>
    createdBody(answer)
  )

/** A paid order of a published result, and a passport with that result alone. */
export const paidAndPublished = Effect.flatMap(payableResult, (result) => publishPaid(result))

const publishPaid = Effect.fnUntraced(function* (result: PayableResult) {
  const original = yield* paid(result)
  const publication = yield* publish(original)
  const { id: subjectId } = publication.projection.subject
  const passport = yield* passportOf(subjectId, [publication])
  return { ...original, publication, subjectId, resultId: publication.projection.resultId as string, passport }
})
export type PaidAndPublished = Effect.Success<typeof paidAndPublished>

/** Another buyer's confirmed agreement with the same supplier. */
export const nextAgreement = Effect.fnUntraced(function* ({ supplier }: Pick<PaidAndPublished, "supplier">) {
  const buyer = yield* signInNewPerson("Nora")
  return { buyer, supplier, projectId: yield* runToLocked({ buyer, supplier }) }
})

/** Revises a confirmed agreement of the buyer; its supplier accepts, which supersedes it. */
export const supersedeByRevision = Effect.fnUntraced(function* (
  buyer: SignedInPerson,
  supplier: SignedInPerson,
  projectId: string
) {
  const revised = yield* reviseAgreement(buyer, supplier, projectId)
  const accepted = answerOf(yield* readProjectAsPerson(supplier, revised), supplier)
  createdBody(yield* commandAsPerson(supplier, revised, "respond", accepted))
  return revised
})

/** Offers other terms for a confirmed agreement. */
export const reviseAgreement = Effect.fnUntraced(function* (
  buyer: SignedInPerson,
  supplier: SignedInPerson,
  projectId: string
) {
  const terms = yield* termsOf(supplier, { title: "Two logos" })
  const input = personCommandBody(yield* readProjectAsPerson(buyer, projectId), { reason: "One more logo.", terms })
  const view = createdBody(yield* commandAsPerson(buyer, projectId, "revise", input))
  return view.project.taskId as string
})

export const referenceBody = (
  { passport, resultId }: Pick<PaidAndPublished, "passport" | "resultId">,
  changes: object = {}
) => ({ requestId: uuid(), passport, resultId, reason: "The earlier logo was delivered as agreed.", ...changes })

export const refer = (by: SignedInPerson, projectId: string, body: object, more: SendOptions = {}) =>
  post(by, `/projects/${projectId}/history-reference`, body, more)

/** The history reference of an agreement, with its link, as stored. */
export const storedReference = (projectId: string) =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => reader.get(HistoryReferences, [projectId])))

/** A paid and published result, and a next agreement whose buyer has referred to it. */
export const referred = Effect.gen(function* () {
  const original = yield* paidAndPublished
  const next = yield* nextAgreement(original)
  const reference = createdBody(yield* refer(next.buyer, next.projectId, referenceBody(original)))
  return { original, next, reference }
})

export const requestExtended = (
  by: Pick<SignedInPerson, "token">,
  resultOrderId: string,
  body: object,
  more: SendOptions = {}
) => send("POST", `/api/commerce/result-orders/${resultOrderId}/closure`, options(by, { body, ...more }))

/** One valid request of every operation of people on the history of agreements. */
export const lineageRequests = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  const original = yield* publishPaid(yield* payableResultOf({ buyer, supplier }))
  const [unreferred, nextTaskId] = [yield* runToLocked({ buyer, supplier }), yield* runToLocked({ buyer, supplier })]
  createdBody(yield* refer(buyer, nextTaskId, referenceBody(original)))
  const { passport, order } = original
  return [
    ["recordHistoryReference", buyer, { ids: { id: unreferred }, body: referenceBody(original), status: 201 }],
    [
      "exportClosureWithHistory",
      supplier,
      { ids: { resultOrderId: order.resultOrderId as string }, body: { passport, nextTaskId } }
    ]
  ] as const
})
