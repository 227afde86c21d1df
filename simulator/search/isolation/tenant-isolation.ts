/** Tenant isolation (non-interference): requests of an unrelated tenant change no byte of the answers to the parties. */
import { Effect } from "effect"
import type { LockKey, Storage } from "../../../src/ports/storage.ts"
import { Actor } from "../../kernel/actor.ts"
import type { JsonObject } from "../../vocabulary/json.ts"
import { WorldFork } from "../world-fork.ts"
import type { SearchRoot } from "../search-root.ts"
import type { Probe } from "./probe.ts"
import { idsIn, unauthorizedRequests, lockKeysIn } from "./unauthorized-requests.ts"
import { projectsIn } from "./expected-authorization.ts"
import { differenceOf, tracesIn, type TracesOfParties } from "./traces-of-parties.ts"

export const tenantIsolation: Probe = {
  name: "tenant isolation",
  says: "Requests of unrelated tenants never change another tenant's responses and take none of its locks.",
  findViolation: (root) => {
    // The result depends on the script alone, so it is checked once.
    if (checked.has(root)) return undefined
    checked.add(root)
    const withUnrelated = playScript(root, true)
    if (withUnrelated === undefined) return undefined
    const alone = playScript(root, false)
    return alone === undefined
      ? undefined
      : (differenceOf(alone.traces, withUnrelated.traces, "an unrelated tenant") ?? lockedAcross(withUnrelated))
  }
}

const checked = new WeakSet<SearchRoot>()

interface Playthrough {
  readonly traces: TracesOfParties
  /** By lock key: the actors that locked it. */
  readonly locked: ReadonlyMap<string, ReadonlySet<string>>
  /** The locks of resources of the parties. */
  readonly ofParties: ReadonlySet<string>
}

/** Undefined if an unrelated tenant cannot be created, for example because the issuer has no key for its grant. */
const playScript = (root: SearchRoot, hasUnrelated: boolean): Playthrough | undefined => {
  const locked = new Map<string, Set<string>>()
  const { scenario, from, rest } = root
  const fork = new WorldFork(scenario, from, (storage) => recordingLocks(storage, locked))
  const before = fork.context.recorder.observations.length
  const tenant = hasUnrelated ? new UnrelatedTenant(fork) : undefined
  if (tenant?.join() === false) return undefined
  for (const step of rest) {
    tenant?.act()
    fork.step(step)
  }
  const traces = tracesIn(fork, before)
  return { traces, locked, ofParties: new Set(lockKeysIn(fork.rows, (id) => !tenant?.owns(id))) }
}

const isUnrelated = (name: string): boolean => name.startsWith("unrelated")

/** A tenant takes only locks of its own; shared resources are not locked. */
const lockedAcross = ({ locked, ofParties }: Playthrough): string | undefined => {
  for (const [key, actors] of locked) {
    const unrelated = [...actors].find(isUnrelated)
    const party = [...actors].find((name) => !isUnrelated(name) && name !== "operator")
    if (unrelated !== undefined && party !== undefined) return `${unrelated} and ${party} both lock ${key}`
    if (unrelated !== undefined && ofParties.has(key)) return `${unrelated} locks ${key} of another tenant`
  }
  return undefined
}

/** An unrelated tenant: an organization with a person and an agent, which sends permitted and unauthorized requests. */
class UnrelatedTenant {
  readonly #fork: WorldFork
  #acts = 0
  /** The ids of its own resources. */
  readonly #own = new Set<string>()

  constructor(fork: WorldFork) {
    this.#fork = fork
  }

  /** False if the world refuses it. */
  join(): boolean {
    const hasJoined = this.#creating(() =>
      this.#fork.createGiven({
        organizations: { unrelated: "Unrelated" },
        people: {
          unrelatedMina: {
            name: "Mina",
            member: { unrelated: ["DELEGATE", "AGREEMENT_CREATE", "PUBLICATION_MANAGE", "FINANCIAL_MANAGE"] }
          }
        },
        credits: { unrelated: 3 },
        agents: { unrelatedBot: { for: "unrelatedMina", role: "BUYER", actions: ["CREATE_PROJECT"] } }
      })
    )
    if (!hasJoined) return false
    this.#fork.act("unrelatedMina", "signIn")
    this.#fork.act("unrelatedBot", "legalConfig")
    this.#fork.act("unrelatedBot", "confirmationPreview")
    return true
  }

  /** Creates a resource of its own, then sends requests against the resources of all tenants. */
  act(): void {
    const fork = this.#fork
    this.#acts += 1
    this.#creating(() => fork.act("unrelatedBot", "createProject", undefined, termsOf(this.#acts)))
    for (const { projectId } of projectsIn(fork)) {
      fork.act("unrelatedBot", "readProject", projectId)
      fork.act("unrelatedMina", "readOwnProject", projectId)
    }
    const { people, organizations } = fork.context.directory
    const tenant = {
      person: "unrelatedMina",
      personId: people.get("unrelatedMina")?.id ?? "",
      organizationId: organizations.get("unrelated") ?? "",
      agent: "unrelatedBot"
    }
    for (const form of unauthorizedRequests(fork.rows, (id) => this.owns(id), tenant, uuidOf(this.#acts)))
      fork.perform(form)
  }

  owns(id: string): boolean {
    return this.#own.has(id)
  }

  /** The created resources are its own. */
  #creating<A>(create: () => A): A {
    const before = new Set(idsIn(this.#fork.rows))
    const made = create()
    for (const id of idsIn(this.#fork.rows)) if (!before.has(id)) this.#own.add(id)
    return made
  }
}

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

const termsOf = (number: number): JsonObject => ({
  title: `Unrelated ${number}`,
  scope: "Theirs alone.",
  buyerName: "Unrelated",
  supplierName: "Not known",
  supplierReference: "none",
  criteria: [{ id: "one", title: "One", requirement: "One." }],
  deadline: "2099-01-01T00:00:00.000Z",
  reviewDeadline: "2099-02-01T00:00:00.000Z",
  baselineStatement: "None.",
  materialPolicy: "FILE_DIGESTS",
  termsPolicy: { purpose: "A record.", contractBasis: "THIS_AGREEMENT", sharing: "None.", sharingRecipients: [] },
  originals: { custodian: "Unrelated", location: "Here", access: "None." },
  subjectRequirements: []
})

type StorageShape = Storage["Service"]

const recordingLocks = (storage: StorageShape, locked: Map<string, Set<string>>): StorageShape => {
  const note = ({ kind, id }: LockKey) =>
    Effect.map(Effect.service(Actor), (actor) => {
      const key = `${kind} ${id}`
      locked.set(key, (locked.get(key) ?? new Set()).add(actor))
    })
  return {
    ...storage,
    transaction: (plan, body) =>
      Effect.andThen(
        Effect.forEach(plan.locks, note, { discard: true }),
        storage.transaction(plan, (transaction) =>
          body({
            get: (table, key) => transaction.get(table, key),
            find: (table, index, values) => transaction.find(table, index, values),
            range: (table, index, range) => transaction.range(table, index, range),
            hints: transaction.hints,
            insert: (table, row) => transaction.insert(table, row),
            update: (table, key, changes) => transaction.update(table, key, changes),
            remove: (table, key) => transaction.remove(table, key),
            afterCommit: (wake) => transaction.afterCommit(wake),
            now: transaction.now,
            lock: (key) => Effect.andThen(note(key), transaction.lock(key))
          })
        )
      )
  }
}
