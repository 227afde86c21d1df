/** Property: after any sequence of changes to grants and memberships, an agent has exactly the authority of its parent and its scope. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import fc from "fast-check"
import { layer as memoryLayer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { removeAccount } from "../../src/access/account.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { actions, authorityFor, isForRole, isGuarded, roles, type Action, type Role } from "../../src/access/actions.ts"
import { mayAct, reachesProposal, readAuthority } from "../../src/access/authorize.ts"
import { createGrant, renewGrant, revokeGrant } from "../../src/access/grants.ts"
import { authenticate } from "../../src/access/authentication.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { Storage } from "../../src/ports/storage.ts"
import { projectParties } from "../../src/projects/parties.ts"
import { proposalParties } from "../../src/proposals/parties.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { lockTables } from "../../src/tables.ts"
import { addMilliseconds, earlier, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { testInstallation, testSecrets, testSigner } from "../support/service.ts"
import { isOffered, offer, type Offer } from "../support/offers.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const day = 86_400_000

/** The model of a membership. */
interface Parent {
  readonly personId: string
  readonly organizationId: string
  readonly membershipId: string
  readonly held: ReadonlyArray<Authority>
  readonly validUntil: Instant
  readonly isAccount: boolean
  ended: boolean
}

interface Agent {
  readonly parent: Parent
  readonly grantId: string
  readonly role: Role
  readonly granted: ReadonlyArray<Action>
  readonly proposals: ReadonlyArray<Offer>
  /** The token of each generation, the live one last. */
  readonly tokens: Array<string>
  expiresAt: Instant
  revoked: boolean
}

interface Account {
  now: Instant
  readonly people: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<string>
  readonly parents: Array<Parent>
  readonly agents: Array<Agent>
  readonly offers: ReadonlyArray<Offer>
}

const isParentLive = ({ ended, validUntil, held }: Parent, now: Instant): boolean =>
  !ended && now < validUntil && held.includes("DELEGATE")

/** The reasons against an action, each sufficient. */
const reasonsAgainst = (agent: Agent, generation: number, action: Action, now: Instant): ReadonlyArray<Reason> => {
  const { parent, role } = agent
  const isHeld = isForRole(action, role) && parent.held.includes(authorityFor(action, role))
  const all: Readonly<Record<Reason, boolean>> = {
    renewed: generation !== agent.tokens.length - 1,
    revoked: agent.revoked,
    expired: agent.expiresAt <= now,
    "its parent ended": !isParentLive(parent, now),
    "not granted": !agent.granted.includes(action) || !isHeld
  }
  return reasons.filter((reason) => all[reason])
}

const reasons = ["renewed", "revoked", "expired", "its parent ended", "not granted"] as const
type Reason = (typeof reasons)[number]

type Step =
  | {
      readonly kind: "join"
      readonly person: number
      readonly organization: number
      readonly held: ReadonlyArray<Authority>
      readonly days: number
    }
  | {
      readonly kind: "grant"
      readonly parent: number
      readonly role: Role
      readonly granted: ReadonlyArray<Action>
      readonly days: number | undefined
      /** Proposals that can be granted, or any. */
      readonly proposals: "FITTING" | ReadonlyArray<number>
    }
  | { readonly kind: "renew"; readonly agent: number; readonly days: number | undefined; readonly isStale: boolean }
  | { readonly kind: "revoke" | "toExpiry"; readonly agent: number }
  | { readonly kind: "end" | "remove" | "toEnd"; readonly parent: number }
  | { readonly kind: "pass"; readonly milliseconds: number }

const nth = <A>(all: ReadonlyArray<A>, index: number): A | undefined => all[index % Math.max(1, all.length)]

/** Executes one step; the model follows only where it succeeded. True where it changed something. */
const executeStep = Effect.fnUntraced(function* (account: Account, step: Step, tally: Tally) {
  const { now } = account
  switch (step.kind) {
    case "join": {
      const personId = nth(account.people, step.person)!
      const organizationId = nth(account.organizations, step.organization)!
      const validUntil = addMilliseconds(now, step.days * day)
      const input = { personId, organizationId, authorities: step.held, validUntil }
      const { membershipId } = yield* createMembership(input)
      account.parents.push({
        personId,
        organizationId,
        membershipId,
        held: step.held,
        validUntil,
        isAccount: false,
        ended: false
      })
      return true
    }
    case "grant": {
      const parent = nth(account.parents, step.parent)
      if (parent === undefined) return false
      const { personId, organizationId } = parent
      const asked = step.days === undefined ? undefined : addMilliseconds(now, step.days * day)
      const proposals =
        step.proposals === "FITTING"
          ? account.offers.filter((offer) => isOffered(offer, parent, step.role))
          : step.proposals.map((index) => account.offers[index]!)
      const areOffered = proposals.every((offer) => isOffered(offer, parent, step.role))
      const countRefusal = ({ facts: { detail = "" } }: Refusal) =>
        Effect.sync(() => {
          if (!detail.includes("every proposal")) return
          assert.isFalse(areOffered)
          count(tally, "no party")
        })
      const made = yield* createGrant(onBehalfOf(personId), yield* nonIdempotentRequest(personId), {
        organizationId,
        role: step.role,
        agentName: "Agent",
        actions: step.granted,
        consents: step.granted.filter(isGuarded),
        projectIds: [],
        proposalIds: proposals.map(({ proposalId }) => proposalId),
        subjectRequirements: [],
        ...(asked === undefined ? {} : { expiresAt: asked })
      }).pipe(Effect.tapError(countRefusal))
      assert.isTrue(areOffered)
      const under = account.parents.findLast(
        (one) => one.personId === personId && one.organizationId === organizationId
      )!
      const expiresAt = earlier(asked ?? addMilliseconds(now, limits.credentialLifetime), under.validUntil)
      assert.strictEqual(made.expiresAt, expiresAt)
      const { grantId, token } = made
      account.agents.push({
        parent: under,
        grantId,
        role: step.role,
        granted: step.granted,
        proposals,
        tokens: [token],
        expiresAt,
        revoked: false
      })
      return true
    }
    case "renew": {
      const agent = nth(account.agents, step.agent)
      if (agent === undefined) return false
      const { personId, validUntil } = agent.parent
      const asked = step.days === undefined ? undefined : addMilliseconds(now, step.days * day)
      const expectedGeneration = agent.tokens.length + (step.isStale ? -1 : 0)
      const { token } = yield* renewGrant(onBehalfOf(personId), yield* nonIdempotentRequest(personId), {
        grantId: agent.grantId,
        expectedGeneration,
        ...(asked === undefined ? {} : { expiresAt: asked })
      })
      assert.isFalse(step.isStale)
      agent.tokens.push(token)
      agent.expiresAt = earlier(asked ?? addMilliseconds(now, limits.credentialLifetime), validUntil)
      return true
    }
    case "revoke": {
      const agent = nth(account.agents, step.agent)
      if (agent === undefined) return false
      yield* revokeGrant(onBehalfOf(agent.parent.personId), agent)
      const isFirst = !agent.revoked
      agent.revoked = true
      return isFirst
    }
    case "end": {
      const parent = nth(account.parents, step.parent)
      if (parent === undefined) return false
      yield* endMembership("OPERATOR", parent)
      const isFirst = !parent.ended
      parent.ended = true
      return isFirst
    }
    case "remove": {
      const parent = nth(account.parents, step.parent)
      if (parent === undefined) return false
      yield* removeAccount(onBehalfOf(parent.personId))
      const removed = account.parents.filter((one) => one.isAccount && one.personId === parent.personId && !one.ended)
      for (const one of removed) one.ended = true
      return removed.length > 0
    }
    case "pass":
      account.now = addMilliseconds(now, step.milliseconds)
      return step.milliseconds > 0
    case "toExpiry": {
      const moment = nth(account.agents, step.agent)?.expiresAt
      if (moment === undefined || moment <= now) return false
      account.now = moment
      return true
    }
    case "toEnd": {
      const moment = nth(account.parents, step.parent)?.validUntil
      if (moment === undefined || moment <= now) return false
      account.now = moment
      return true
    }
  }
})

/** How often each kind of step took effect, each action was allowed, and a single reason refused one. */
type Category = Step["kind"] | Action | Reason | "reached" | "not reached" | "no party"
type Tally = Map<Category, number>

const count = (tally: Tally, category: Category) => tally.set(category, (tally.get(category) ?? 0) + 1)

/** The minimum over all sequences: the vacuity check of the property. */
const least: Readonly<Record<Category, number>> = {
  join: 80,
  grant: 150,
  renew: 30,
  revoke: 20,
  end: 25,
  remove: 20,
  pass: 200,
  toExpiry: 15,
  toEnd: 20,
  renewed: 300,
  revoked: 150,
  expired: 400,
  "its parent ended": 120,
  "not granted": 2_000,
  reached: 400,
  "not reached": 1_000,
  "no party": 30,
  ...(Object.fromEntries(actions.map((action) => [action, 100])) as Record<Action, number>)
}

/** Compares every action of every issued token with the model. */
const compareWithModel = Effect.fnUntraced(function* (account: Account, tally: Tally) {
  const { now } = account
  const storage = yield* Storage
  for (const agent of account.agents) {
    for (const [generation, token] of agent.tokens.entries()) {
      const credential = yield* Effect.orElseSucceed(authenticate(token), () => undefined)
      const authority =
        credential === undefined ? undefined : yield* storage.view((reader) => readAuthority(reader, credential))
      for (const action of actions) {
        const isAllowed = authority !== undefined && mayAct(authority, action, now)
        const [reason, another] = reasonsAgainst(agent, generation, action, now)
        assert.strictEqual(isAllowed, reason === undefined, `${action} at ${now}`)
        if (another === undefined) count(tally, reason ?? action)
      }
      for (const offer of credential === undefined ? [] : account.offers) {
        const isReached = yield* storage.view((reader) => reachesProposal(reader, credential!, offer.proposalId))
        assert.strictEqual(isReached, agent.proposals.includes(offer))
        count(tally, isReached ? "reached" : "not reached")
      }
      assert.isTrue(agent.expiresAt <= agent.parent.validUntil)
    }
  }
})

const live = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, tally: Tally) {
  const people = yield* Effect.forEach(["Dana", "Sam"], (name) => signInNewPerson(name)).pipe(at(noon))
  const organizations = yield* Effect.forEach(["Harbor", "Quay"], (name) => createOrganization({ name })).pipe(at(noon))
  const [harbor, quay, own] = [...organizations, ...people].map(({ organizationId }) => organizationId)
  const [dana, sam] = people.map(({ personId }) => personId)
  const offers = [yield* offer(harbor!, null), yield* offer(quay!, dana!), yield* offer(own!, sam!)]
  const account: Account = {
    now: noon,
    offers,
    people: people.map(({ personId }) => personId),
    organizations: organizations.map(({ organizationId }) => organizationId),
    parents: people.map(({ personId, organizationId, membershipId }) => ({
      personId,
      organizationId,
      membershipId,
      held: authorities,
      validUntil: addMilliseconds(noon, limits.membershipLifetime),
      isAccount: true,
      ended: false
    })),
    agents: []
  }
  for (const step of steps) {
    const hasChanged = yield* Effect.orElseSucceed(executeStep(account, step, tally), () => false).pipe(at(account.now))
    if (hasChanged) count(tally, step.kind)
    yield* compareWithModel(account, tally).pipe(at(account.now))
  }
})

const world = () =>
  Layer.mergeAll(
    memoryLayer(new MemoryStore(lockTables)),
    testSigner,
    testSecrets,
    testInstallation,
    instanceCaches,
    SecureRandom.layerWebCrypto,
    projectParties,
    proposalParties
  )

const index = fc.nat({ max: 7 })
const someDays = fc.option(fc.integer({ min: 1, max: 32 }), { nil: undefined })
const held = fc.oneof(
  { weight: 2, arbitrary: fc.constant<ReadonlyArray<Authority>>(authorities) },
  fc.subarray<Authority>([...authorities]),
  fc
    .subarray<Authority>([...authorities])
    .map((some): ReadonlyArray<Authority> => [...new Set([...some, "DELEGATE" as const])])
)
const roleActions = fc
  .constantFrom(...roles)
  .chain((role) =>
    fc
      .oneof(
        { weight: 4, arbitrary: fc.subarray(actions.filter((action) => isForRole(action, role))) },
        fc.subarray<Action>([...actions])
      )
      .map((granted) => ({ role, granted }))
  )

const fitting = fc.constant("FITTING" as const)
const someProposals = fc.oneof(fitting, fitting, fitting, fc.subarray([0, 1, 2]))

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("join" as const),
    person: index,
    organization: index,
    held,
    days: fc.integer({ min: 1, max: 40 })
  }),
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, roleActions, someDays, someProposals)
      .map(([parent, { role, granted }, days, proposals]) => ({
        kind: "grant" as const,
        parent,
        role,
        granted,
        days,
        proposals
      }))
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("renew" as const), agent: index, days: someDays, isStale: fc.boolean() })
  },
  fc.record({ kind: fc.constantFrom("revoke" as const, "toExpiry" as const), agent: index }),
  fc.record({ kind: fc.constantFrom("end" as const, "remove" as const, "toEnd" as const), parent: index }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      milliseconds: fc.oneof(fc.constantFrom(1, 60_000, day), fc.nat({ max: 35 * day }))
    })
  }
)

describe("authority of an agent", () => {
  it("An agent never exceeds its parent, after any sequence of grants, renewals, removals and time steps", async () => {
    const tally: Tally = new Map()
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), (steps) =>
      Effect.runPromise(live(steps, tally).pipe(Effect.provide(world())))
    )
    await fc.assert(property, { numRuns: 200, seed: 20261121 })
    for (const [what, times] of Object.entries(least)) {
      assert.isAtLeast(tally.get(what as keyof typeof least) ?? 0, times, what)
    }
  })
})
