/** What callers, operators and workers do: every command and list once, also as members of an organization with a long history. */
import { Effect } from "effect"
import { listAllGrants } from "../../../src/access/listing.ts"
import { sweepConnections } from "../../../src/access/sweep.ts"
import { paymentPass } from "../../../src/commerce/worker.ts"
import { deleteExpiredAttempts } from "../../../src/people/attempt-limits.ts"
import { listMemberships, listOrganizations, listPersons } from "../../../src/people/listing.ts"
import { signIn } from "../../../src/people/sessions.ts"
import { listProjects, listReadOnlyProjects } from "../../../src/projects/listing.ts"
import { issueDueRecords } from "../../../src/records/issuance.ts"
import { listBalances } from "../../../src/records/listing.ts"
import { now } from "../../../src/vocabulary/instant.ts"
import { listAllSubscriptions } from "../../../src/webhooks/operator-listing.ts"
import { makeArena, nextCommand } from "../../processes/arena.ts"
import { sendCommand } from "../../support/parties.ts"
import { personRequests, sendAs } from "../../support/person-requests.ts"
import { validRequests } from "../../support/requests.ts"
import { send } from "../../support/service.ts"
import { acknowledgingSender, runWorkerPass } from "../../support/webhooks.ts"
import { createdBody, read } from "../../support/workspace.ts"
import { makeModels } from "./model.ts"

/** A person of the full database. */
export interface Member {
  readonly personId: string
  readonly organizationId: string
  readonly issuer: string
  readonly subject: string
}

/** More than the executions after which Postgres considers a plan for any parameters. */
const repetitions = 6

export const everyAct = Effect.fnUntraced(function* (member: Member) {
  yield* makeModels(2)
  const arena = yield* makeArena(2)
  const lane = arena.lanes[0]!
  for (let turn = 0; turn < repetitions; turn++) {
    const { token, operation, body } = nextCommand(arena, lane)
    lane.view = createdBody(yield* sendCommand(token, lane.projectId, operation, body))
  }
  for (const { path, token, body } of yield* validRequests) {
    yield* send("POST", path, { body, ...(token === undefined ? {} : { token }) })
  }
  for (const request of yield* personRequests) yield* sendAs(request)
  for (let turn = 0; turn < repetitions; turn++) {
    yield* listsOf(member)
    yield* workerPasses
  }
})

const listsOf = Effect.fnUntraced(function* ({ personId, organizationId, issuer, subject }: Member) {
  const session = yield* signIn(
    { issuer, subject, name: "Dana", email: null, authenticatedAt: yield* now },
    { isInvited: false }
  )
  const first = yield* read(session, "/projects")
  const { next } = createdBody(first) as { readonly next?: string | null }
  if (typeof next === "string") createdBody(yield* read(session, `/projects?after=${encodeURIComponent(next)}`))
  const page = { after: undefined, limit: 50 }
  yield* listProjects(organizationId, page)
  yield* listProjects(undefined, page)
  yield* listReadOnlyProjects(page)
  yield* listOrganizations(page)
  yield* listPersons(page)
  yield* listMemberships({ organizationId }, page)
  yield* listAllGrants({ organizationId }, page)
  yield* listAllGrants({ personId }, page)
  yield* listAllSubscriptions({ personId }, page)
  yield* listAllSubscriptions({}, page)
  yield* listBalances(page)
})

const workerPasses = Effect.gen(function* () {
  yield* issueDueRecords()
  yield* sweepConnections()
  yield* deleteExpiredAttempts()
  yield* paymentPass
  yield* Effect.provide(runWorkerPass, acknowledgingSender)
})
