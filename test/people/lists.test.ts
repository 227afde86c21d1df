/** The lists of the API for people: pages to the end while rows are added, and a cost that other rows do not change. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { Grants } from "../../src/access/store.ts"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import { ParticipationItems } from "../../src/participation/store.ts"
import { inTransaction, inView } from "../../src/ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../../src/ports/storage.ts"
import type { AnyTable, LockKind } from "../../src/ports/table.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { Invitations, Memberships } from "../../src/people/store.ts"
import { RecordShares } from "../../src/records/store.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { WebhookSubscriptions } from "../../src/webhooks/store.ts"
import { bothStores } from "../support/both-stores.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { createAgreementAsPerson } from "../support/person-commands.ts"
import { ownWebhooksPath, subscribeAsPerson } from "../support/person-webhooks.ts"
import { send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, options, outcome, workspace } from "../support/workspace.ts"

/** A row of each list, and the person who lists it. */
const firstRows = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const kim = yield* signInNewPerson("Kim")
  const projectId = yield* createAgreementAsPerson(dana, yield* signInNewPerson("Sam"))
  const task = { projectId, title: "Photos", instructions: "Take ten.", dueAt: null }
  const { code } = yield* inviteParticipant(dana, yield* nonIdempotentRequest(dana.personId), task)
  const { itemId } = yield* acceptParticipation(kim, code)
  const { grantId } = yield* makeAgent(dana, "BUYER", [])
  const invitation = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), {
    organizationId: dana.organizationId,
    authorities: []
  })
  const shareId = `share_${uuid()}`
  const sharedAt = yield* now
  yield* inTransaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
    transaction.insert(RecordShares, {
      shareId,
      projectId,
      side: "BUYER",
      recipient: "The bank",
      recipientActorId: kim.personId,
      sharedBy: dana.personId,
      sharedAt,
      openingCount: 0,
      revokedBy: null,
      revokedAt: null
    })
  )
  const { id: webhookId } = yield* subscribeAsPerson(dana, [projectId])
  const invitationId = "invitationId" in invitation ? invitation.invitationId : ""
  return { dana, kim, projectId, itemId, grantId, shareId, invitationId, webhookId }
})

type FirstRows = Effect.Success<typeof firstRows>

interface EntryList {
  /** Where the path begins, unless it is one of the workspace. */
  readonly api?: string
  readonly path: (rows: FirstRows) => string
  readonly by: (rows: FirstRows) => SignedInPerson
  /** The member of the answer, and the id of an entry in it. */
  readonly member: string
  readonly id: string
  readonly idPrefix: string
  readonly table: AnyTable
  readonly key: (rows: FirstRows) => string
  /** The column of the order, the newest first; absent where the ids are. */
  readonly time?: string
  readonly lock: LockKind
  /** Columns in which copies differ from the first row. */
  readonly unique?: () => object
}

const items = { member: "items", id: "id", idPrefix: "item", table: ParticipationItems, time: "acceptedAt" } as const

const lists: { readonly [name: string]: EntryList } = {
  "shared records": {
    path: () => "/shared-records",
    by: ({ kim }) => kim,
    member: "records",
    id: "shareId",
    idPrefix: "share",
    table: RecordShares,
    key: ({ shareId }) => shareId,
    time: "sharedAt",
    lock: "project"
  },
  "accepted tasks": {
    ...items,
    path: () => "/items",
    by: ({ kim }) => kim,
    key: ({ itemId }) => itemId,
    lock: "item"
  },
  "given tasks": {
    ...items,
    path: ({ projectId }) => `/projects/${projectId}/items`,
    by: ({ dana }) => dana,
    key: ({ itemId }) => itemId,
    lock: "item"
  },
  grants: {
    path: () => "/grants",
    by: ({ dana }) => dana,
    member: "grants",
    id: "id",
    idPrefix: "grant",
    table: Grants,
    key: ({ grantId }) => grantId,
    time: "createdAt",
    lock: "grant"
  },
  webhooks: {
    api: "",
    path: () => ownWebhooksPath,
    by: ({ dana }) => dana,
    member: "subscriptions",
    id: "id",
    idPrefix: "webhook",
    table: WebhookSubscriptions,
    key: ({ webhookId }) => webhookId,
    time: "createdAt",
    lock: "subscription"
  },
  invitations: {
    path: ({ dana }) => `/organizations/${dana.organizationId}/invitations`,
    by: ({ dana }) => dana,
    member: "invitations",
    id: "invitationId",
    idPrefix: "invitation",
    table: Invitations,
    key: ({ invitationId }) => invitationId,
    lock: "invitation",
    unique: () => ({ codeHash: sha256Hex(uuid()) })
  },
  members: {
    path: ({ dana }) => `/organizations/${dana.organizationId}/members`,
    by: ({ dana }) => dana,
    member: "members",
    id: "membershipId",
    idPrefix: "membership",
    table: Memberships,
    key: ({ dana }) => dana.membershipId,
    lock: "membership"
  }
}

/** Copies of the first row with these differences in milliseconds from its time; answers with their ids. */
const copyFirst = Effect.fnUntraced(function* (list: EntryList, rows: FirstRows, differences: ReadonlyArray<number>) {
  const { table, idPrefix, time, lock, unique } = list
  const idColumn = table.key[0]!
  const ids = differences.map(() => `${idPrefix}_${uuid()}`)
  const first: any = yield* inView((reader: Reader) => reader.get(table, [list.key(rows)]))
  const locks = lock === "project" ? [exclusive("project", rows.projectId)] : ids.map((id) => exclusive(lock, id))
  yield* inTransaction({ locks }, (transaction: Transaction) =>
    Effect.forEach(ids, (id, at) =>
      transaction.insert(table, {
        ...first,
        ...unique?.(),
        [idColumn]: id,
        ...(time === undefined ? {} : { [time]: addMilliseconds(first[time], differences[at]!) })
      })
    )
  )
  return ids
})

const readList = (list: EntryList, rows: FirstRows, query: string) =>
  send("GET", `${list.api ?? workspace}${list.path(rows)}${query}`, options(list.by(rows), {}))

const older = (count: number) => Array.from({ length: count }, (_, at) => -1 - Math.floor(at / 2))

describe.each(bothStores)("a list of the API for people %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect.each(Object.entries(lists))(
      "The pages of %s show each entry once, in one order, while others are added.",
      ([, list]) =>
        Effect.gen(function* () {
          const rows = yield* firstRows
          const ids = [list.key(rows), ...(yield* copyFirst(list, rows, older(2 * limits.entriesListed + 20)))]
          const found: Array<string> = []
          const sizes: Array<number> = []
          for (let query = ""; query !== "null";) {
            const body = createdBody(yield* readList(list, rows, `${query}`))
            found.push(...body[list.member].map((entry: any) => entry[list.id]))
            sizes.push(body[list.member].length)
            yield* copyFirst(list, rows, [sizes.length])
            query = body.next === null ? "null" : `?after=${body.next}`
          }
          assert.lengthOf(new Set(found), found.length)
          for (const id of ids) assert.include(found, id)
          if (list.time === undefined) return assert.deepStrictEqual(found, found.toSorted())
          assert.deepStrictEqual(sizes, [limits.entriesListed, limits.entriesListed, 21])
          assert.strictEqual(found[0], ids[0])
        })
    )

    it.effect.each(Object.entries(lists).filter(([, { time }]) => time !== undefined))(
      "A cursor of %s that no earlier page returned is refused with its path.",
      ([, list]) =>
        Effect.gen(function* () {
          const rows = yield* firstRows
          const others = yield* firstRows
          for (const after of [list.key(others), `${list.idPrefix}_${uuid()}`]) {
            const refused = yield* readList(list, rows, `?after=${after}`)
            assert.deepStrictEqual(
              [...outcome(refused), refused.body.issues[0].path],
              [400, "INVALID_REQUEST", "after"]
            )
          }
        })
    )

    it.effect.each(Object.entries(lists))("A malformed cursor of %s is refused with its path.", ([, list]) =>
      Effect.gen(function* () {
        const rows = yield* firstRows
        const refused = yield* readList(list, rows, `?after=1`)
        assert.deepStrictEqual([...outcome(refused), refused.body.issues[0].path], [400, "INVALID_REQUEST", "after"])
      })
    )
  })
})

layer(countingService, { excludeTestServices: true })("the statements of a list of the API for people", (it) => {
  it.effect.each(Object.entries(lists))(
    "A page of %s takes as many statements among 1,200 entries as among 110.",
    ([, list]) =>
      Effect.gen(function* () {
        const { observed } = yield* Counted
        const rows = yield* firstRows
        const readFirst = Effect.gen(function* () {
          observed.length = 0
          const body = createdBody(yield* readList(list, rows, ""))
          assert.lengthOf(body[list.member], limits.entriesListed)
          return statementsOf(observed)
        })
        yield* copyFirst(list, rows, older(109))
        const amongFew = yield* readFirst
        yield* copyFirst(list, rows, older(1_090))
        assert.deepStrictEqual(yield* readFirst, amongFew)
      })
  )
})
