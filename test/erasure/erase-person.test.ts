/** `admin erase-person` on both stores: what ends, what is taken out of rows, what stays, and when it is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createGrant } from "../../src/access/grants.ts"
import { Grants } from "../../src/access/store.ts"
import { recordAct } from "../../src/administration/recording.ts"
import { AdministrationActs } from "../../src/administration/store.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { erasePerson } from "../../src/erasure/erase-person.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { addContact } from "../../src/people/contacts.ts"
import type { Authority } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { createOrganization, createPerson } from "../../src/people/operations.ts"
import { openSession, signInWithProof } from "../../src/people/sessions.ts"
import { Contacts, Memberships, Organizations, PersonAddresses, Persons } from "../../src/people/store.ts"
import { inTransaction, inView } from "../../src/ports/storage/run.ts"
import { type ProjectRow, Projects, ProjectSides } from "../../src/projects/store.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { projectIn } from "../support/project.ts"
import { rowFor } from "../support/project-row.ts"
import { bothStores } from "../support/both-stores.ts"
import { at } from "../support/time.ts"

const issuer = "https://login.example.org"
const validUntil = "2120-01-01T00:00:00.000Z" as Instant

const signIn = (subject: string, isInvited = true) =>
  signInWithProof(
    Effect.map(now, (authenticatedAt) => ({
      issuer,
      subject,
      name: "Zoe Example",
      email: "zoe@example.org",
      authenticatedAt
    })),
    () => Effect.succeed({ isInvited })
  )

const memberOf = (personId: string, organizationId: string, authorities: ReadonlyArray<Authority>) =>
  createMembership({ personId, organizationId, authorities, validUntil })

const erase = (personId: string, isDryRun = false) =>
  recordAct(
    {
      operator: { who: "anna", account: "anna@host" },
      why: "asked for",
      command: "erase-person",
      arguments: { person: personId }
    },
    erasePerson({ personId, isDryRun })
  )

/** Everything in the rows of people, contacts, grants and the log. */
const rowsAsText = inView((reader) =>
  Effect.gen(function* () {
    const tables = [Persons, PersonAddresses, Organizations, Memberships, Contacts, Grants, AdministrationActs] as const
    const all = { prefix: [], limit: 1000 }
    return JSON.stringify(yield* Effect.forEach(tables, (table) => reader.range(table, "key", all)))
  })
)

describe.each(bothStores)("Erasure %s", (_, service) => {
  it.live("An erasure ends sessions, memberships and grants, and takes name, address and identity out of rows.", () =>
    Effect.gen(function* () {
      const { personId, token } = yield* signIn("zoe", false)
      const { organizationId } = yield* createOrganization({ name: "Harbor" })
      const { personId: other } = yield* createPerson({ name: "Omar", issuer, subject: "omar" })
      yield* memberOf(other, organizationId, ["MEMBERS_MANAGE"])
      yield* memberOf(personId, organizationId, ["DELEGATE"])
      yield* addContact(onBehalfOf(other), { organizationId, reference: "z", name: "Zoe Example", personId })
      yield* createGrant(onBehalfOf(personId), yield* nonIdempotentRequest(personId), {
        organizationId,
        role: "BUYER",
        agentName: "scout",
        actions: [],
        consents: [],
        projectIds: [],
        proposalIds: [],
        subjectRequirements: []
      })
      const before = yield* rowsAsText
      const planned = yield* erasePerson({ personId, isDryRun: true })
      assert.strictEqual(yield* rowsAsText, before)

      const erased = yield* erase(personId)
      assert.deepStrictEqual({ ...erased, isDryRun: true }, planned)
      assert.lengthOf(erased.ends.memberships, 2)
      assert.lengthOf(erased.ends.grants, 1)
      assert.lengthOf(erased.erases.workspaces, 1)
      const after = yield* rowsAsText
      assert.notMatch(after, /Zoe Example|zoe@example|"zoe"/)
      assert.include(after, "erased person")
      const grants = yield* inView((reader) => reader.range(Grants, "byPerson", { prefix: [personId], limit: 9 }))
      assert.deepStrictEqual(
        grants.map(({ revokedAt, authoritySequence }) => [revokedAt !== null, authoritySequence]),
        [[true, 2]]
      )
      assert.strictEqual((yield* Effect.flip(openSession(token))).code, "SIGN_IN_REQUIRED")

      const [act] = yield* inView((reader) => reader.range(AdministrationActs, "key", { prefix: [], limit: 9 }))
      assert.deepInclude(act!, { outcome: "DONE", command: "erase-person", why: "asked for" })
      assert.include(act!.changed, personId)

      // Again: nothing is left to end.
      const again = yield* erase(personId)
      assert.deepStrictEqual([again.wasErased, again.ends], [true, { memberships: [], grants: [] }])
      // The same identity is a new person.
      assert.notStrictEqual((yield* signIn("zoe")).personId, personId)
    }).pipe(Effect.provide(Layer.fresh(service)))
  )

  it.live("An erasure is refused while the person alone administers an organization with other members.", () =>
    Effect.gen(function* () {
      const { personId } = yield* signIn("ada")
      const { organizationId } = yield* createOrganization({ name: "Lumen" })
      const { personId: other } = yield* createPerson({ name: "Omar", issuer, subject: "omar" })
      yield* memberOf(personId, organizationId, ["MEMBERS_MANAGE"])
      yield* memberOf(other, organizationId, ["DELEGATE"])
      const before = yield* rowsAsText
      const refused = yield* Effect.flip(erasePerson({ personId, isDryRun: false }))
      assert.strictEqual(refused.code, "STATE_CONFLICT")
      assert.match(String(refused.facts.detail), /the only member .* with MEMBERS_MANAGE: give it to another member/)
      assert.strictEqual(yield* rowsAsText, before)
      // The clock of an operator's machine may be behind the starts of both memberships.
      const behind = addMilliseconds(yield* now, -3_600_000)
      const refusedBehind = yield* Effect.flip(erasePerson({ personId, isDryRun: false }).pipe(at(behind)))
      assert.strictEqual(refusedBehind.code, "STATE_CONFLICT")
      const unknown = yield* Effect.flip(erasePerson({ personId: "person_x", isDryRun: true }))
      assert.strictEqual(unknown.code, "UNKNOWN_PARTY")
    }).pipe(Effect.provide(Layer.fresh(service)))
  )
})

/** A project of another person's buyer, whose supplier's representative is this person, in memory. */
const withProject = Effect.fnUntraced(function* (personId: string, changes: Partial<ProjectRow>) {
  const row = rowFor(projectIn("LOCKED"), { supplierActorId: personId, ...changes })
  const { projectId, createdAt } = row
  yield* inTransaction({ locks: [] }, function* (transaction) {
    yield* transaction.insert(Projects, row)
    yield* transaction.insert(ProjectSides, { party: personId, projectId, role: "SUPPLIER", createdAt })
  })
  return row
})

describe("Erasure of the representative of a supplier", () => {
  it.live("An erasure is refused while the person represents the supplier of an open project.", () =>
    Effect.gen(function* () {
      const { personId } = yield* createPerson({ name: "Zoe Example", issuer, subject: "zoe" })
      const { projectId } = yield* withProject(personId, {})
      const refused = yield* Effect.flip(erasePerson({ personId, isDryRun: false }))
      assert.strictEqual(refused.code, "STATE_CONFLICT")
      assert.include(
        String(refused.facts.detail),
        `${projectId}, which is LOCKED: hand the project over or end it first`
      )
    }).pipe(Effect.provide(Layer.fresh(memoryTestService)))
  )

  it.live("An erasure lists the signed bytes that hold the name, and leaves them as they are.", () =>
    Effect.gen(function* () {
      const { personId } = yield* createPerson({ name: "Zoe Example", issuer, subject: "zoe" })
      const agreement = canonicalText({ terms: { title: "For Zoe Example" } }) as string as ProjectRow["agreement"]
      const state = "BUYER_CONFIRMED"
      const { projectId, agreementDigest: digest } = yield* withProject(personId, { state, agreement })
      const { stays } = yield* erase(personId)
      assert.deepStrictEqual(stays.signed, [{ kind: "AGREEMENT", of: projectId, id: projectId, digest }])
      const kept = yield* inView((reader) => reader.get(Projects, [projectId]))
      assert.strictEqual(kept?.agreement, agreement)
    }).pipe(Effect.provide(Layer.fresh(memoryTestService)))
  )
})
