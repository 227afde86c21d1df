/** Publications of issued results, and the requests of people and of the public. */
import { Effect } from "effect"
import { agreementWithRecord } from "./issued-records.ts"
import { uuid } from "./parties.ts"
import { concernOf, commandAsPerson, confirmationCommandBody, readProjectAsPerson } from "./person-commands.ts"
import { send, type SendOptions } from "./service.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody, post, read } from "./workspace.ts"

export const proposalOf = (changes: object = {}) => ({
  requestId: uuid(),
  title: "A logo",
  summary: "One logo as vector files.",
  namesBuyer: true,
  ...changes
})

export const propose = (by: SignedInPerson, projectId: string, changes: object = {}) =>
  post(by, `/projects/${projectId}/publications`, proposalOf(changes))

/** A publication as its view names it. */
export interface Published {
  readonly publicationId: string
  readonly publicationDigest: string
  readonly projectId: string
}

export const approve = (
  by: SignedInPerson,
  { projectId, publicationId, publicationDigest }: Published,
  changes: object = {}
) =>
  post(by, `/projects/${projectId}/publications/${publicationId}/approve`, {
    requestId: uuid(),
    publicationDigest,
    ...changes
  })

export const withdraw = (by: SignedInPerson, { projectId, publicationId }: Published, changes: object = {}) =>
  post(by, `/projects/${projectId}/publications/${publicationId}/withdraw`, {
    requestId: uuid(),
    reason: "No longer wanted.",
    ...changes
  })

export const publicationsOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(read(by, `/projects/${projectId}/publications`), createdBody)

/** Two people with an issued result that is not published. */
export const issuedResult = Effect.gen(function* () {
  const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  return { ...pair, projectId: yield* agreementWithRecord(pair) }
})
export type IssuedResult = Effect.Success<typeof issuedResult>

/** Proposes and approves a summary of a result. */
export const publish = Effect.fnUntraced(function* (
  { buyer, supplier, projectId }: IssuedResult,
  changes: object = {}
) {
  const proposed = createdBody(yield* propose(supplier, projectId, changes))
  return createdBody(yield* approve(buyer, proposed)) as Published & { readonly projection: any }
})

/** Two people with a published result, and the subject under which the public finds it. */
export const publishedResult = Effect.gen(function* () {
  const result = yield* issuedResult
  const publication = yield* publish(result)
  return { ...result, publication, subjectId: publication.projection.subject.id as string }
})

export const contest = ({ buyer, projectId }: IssuedResult) =>
  Effect.flatMap(readProjectAsPerson(buyer, projectId), (view) =>
    Effect.map(commandAsPerson(buyer, projectId, "concern", concernOf(view)), createdBody)
  )

export const dismissConcern = ({ buyer, projectId }: IssuedResult) =>
  Effect.flatMap(readProjectAsPerson(buyer, projectId), (view) => {
    const dismissed = confirmationCommandBody(view, { resolution: "DISMISSED" })
    return Effect.map(commandAsPerson(buyer, projectId, "resolve-concern", dismissed), createdBody)
  })

/** One valid request of every operation of people on publications. */
export const publicationRequests = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  const [unpublished, proposedOnce, proposedTwice] = [
    yield* agreementWithRecord({ buyer, supplier }),
    yield* agreementWithRecord({ buyer, supplier }),
    yield* agreementWithRecord({ buyer, supplier })
  ]
  const { publicationDigest, ...toApprove } = createdBody(yield* propose(supplier, proposedOnce)) as Published
  const toWithdraw = createdBody(yield* propose(supplier, proposedTwice)) as Published
  const idsOf = ({ projectId: id, publicationId }: Omit<Published, "publicationDigest">) => ({ id, publicationId })
  return [
    ["proposePublication", supplier, { ids: { id: unpublished }, body: proposalOf(), status: 201 }],
    ["listPublications", buyer, { ids: { id: proposedOnce } }],
    ["approvePublication", buyer, { ids: idsOf(toApprove), body: { requestId: uuid(), publicationDigest } }],
    ["withdrawPublication", buyer, { ids: idsOf(toWithdraw), body: { requestId: uuid(), reason: "No." } }]
  ] as const
})

const providers = "/api/public/providers"

export const selectionOf = ({ publicationId, publicationDigest }: Omit<Published, "projectId">) => ({
  publicationId,
  publicationDigest
})

export const exportPassport = (subjectId: string, body: unknown, query = "", more: SendOptions = {}) =>
  send("POST", `${providers}/${subjectId}/passport${query}`, { body, ...more })

export const readStatus = (subjectId: string, body: unknown) =>
  send("POST", `${providers}/${subjectId}/passport/status`, { body })

export const listDisclosed = (subjectId: string, query = "") =>
  send("GET", `${providers}/${subjectId}/publications${query}`)
