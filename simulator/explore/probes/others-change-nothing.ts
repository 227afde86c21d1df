/** What strangers do, beside and before, changes nothing for the parties of a script: not one byte of their answers. */
import { Effect } from "effect"
import type { Root, Storage } from "../../../src/ports/storage.ts"
import { Actor } from "../../kernel/actor.ts"
import type { Observed } from "../../observation.ts"
import type { JsonObject } from "../../script/json.ts"
import { Fork } from "../fork.ts"
import type { Prepared } from "../prepared.ts"
import type { Probe } from "../probe.ts"
import { idsIn, intrusions, rootsIn } from "./intrusions.ts"
import { projectsIn } from "./standing.ts"

export const othersChangeNothing: Probe = {
  name: "others change nothing",
  says: "What strangers do gives every party the same answers to the letter, and locks nothing of theirs.",
  tries: (prepared) => {
    // It depends on the script alone: once is enough.
    if (tried.has(prepared)) return undefined
    tried.add(prepared)
    const beside = played(prepared, true)
    if (beside === undefined) return undefined
    const alone = played(prepared, false)
    return alone === undefined ? undefined : (difference(alone, beside) ?? lockedAcross(beside))
  }
}

const tried = new WeakSet<Prepared>()

interface Played {
  /** What each party sent and was told, line by line. */
  readonly traces: ReadonlyMap<string, ReadonlyArray<string>>
  /** By root: who locked it. */
  readonly locked: ReadonlyMap<string, ReadonlySet<string>>
  /** Roots of what belongs to the parties. */
  readonly ofParties: ReadonlySet<string>
}

/** Undefined where strangers cannot come into such a world: where nobody could sign their grant, for one. */
const played = (prepared: Prepared, isBeside: boolean): Played | undefined => {
  const locked = new Map<string, Set<string>>()
  const { scenario, from, rest } = prepared
  const fork = new Fork(scenario, from, (storage) => notingLocks(storage, locked))
  const before = fork.journey.recorder.observations.length
  const strangers = isBeside ? new Strangers(fork) : undefined
  if (strangers?.arrive() === false) return undefined
  for (const step of rest) {
    strangers?.act()
    fork.step(step)
  }
  const traces = new Map<string, Array<string>>()
  for (const observed of fork.journey.recorder.observations.slice(before)) {
    const who = partyIn(observed)
    if (who === undefined || isStranger(who)) continue
    traces.set(who, [...(traces.get(who) ?? []), JSON.stringify(observed)])
  }
  return { traces, locked, ofParties: new Set(rootsIn(fork.rows, (id) => !strangers?.owns(id))) }
}

const partyIn = (observed: Observed): string | undefined => {
  if (observed.kind === "request" || observed.kind === "response" || observed.kind === "answer") return observed.actor
  return observed.kind === "received" || observed.kind === "callback" ? observed.receiver : undefined
}

const isStranger = (name: string): boolean => name.startsWith("stranger")

const difference = (alone: Played, beside: Played): string | undefined => {
  for (const [who, lines] of alone.traces) {
    const others = beside.traces.get(who) ?? []
    const at = lines.findIndex((line, index) => line !== others[index])
    if (at >= 0) return `${who} is told otherwise because of strangers: ${lines[at]} became ${others[at] ?? "nothing"}`
    if (others.length > lines.length) return `${who} is told more because of strangers: ${others[lines.length]}`
  }
  return undefined
}

/** Nobody else's root is locked: what is shared by everybody is no root. */
const lockedAcross = ({ locked, ofParties }: Played): string | undefined => {
  for (const [root, who] of locked) {
    const stranger = [...who].find(isStranger)
    const party = [...who].find((name) => !isStranger(name) && name !== "operator")
    if (stranger !== undefined && party !== undefined) return `${stranger} and ${party} both lock ${root}`
    if (stranger !== undefined && ofParties.has(root)) return `${stranger} locks ${root}, which is not theirs`
  }
  return undefined
}

/** An organization of its own, with a person and an agent, who try what they can and what they may not. */
class Strangers {
  readonly #fork: Fork
  #acts = 0
  /** What is theirs, by its id. */
  readonly #own = new Set<string>()

  constructor(fork: Fork) {
    this.#fork = fork
  }

  /** False where the world refuses them. */
  arrive(): boolean {
    const hasCome = this.#making(() =>
      this.#fork.arrange({
        organizations: { strangers: "Strangers" },
        people: { strangerMina: { name: "Mina", member: { strangers: ["DELEGATE", "AGREEMENT_CREATE"] } } },
        credits: { strangers: 3 },
        agents: { strangerBot: { for: "strangerMina", role: "BUYER", actions: ["CREATE_PROJECT"] } }
      })
    )
    if (!hasCome) return false
    this.#fork.act("strangerMina", "signIn")
    this.#fork.act("strangerBot", "legalConfig")
    this.#fork.act("strangerBot", "confirmationPreview")
    return true
  }

  /** Something of their own, then something of everybody's. */
  act(): void {
    const fork = this.#fork
    this.#acts += 1
    this.#making(() => fork.act("strangerBot", "createProject", undefined, termsOf(this.#acts)))
    for (const { projectId } of projectsIn(fork)) {
      fork.act("strangerBot", "readProject", projectId)
      fork.act("strangerMina", "readOwnProject", projectId)
    }
    const { people, organizations } = fork.journey.directory
    const strangers = {
      person: "strangerMina",
      personId: people.get("strangerMina")?.id ?? "",
      organizationId: organizations.get("strangers") ?? "",
      agent: "strangerBot"
    }
    for (const form of intrusions(fork.rows, (id) => this.owns(id), strangers, uuidOf(this.#acts))) fork.do(form)
  }

  owns(id: string): boolean {
    return this.#own.has(id)
  }

  /** What comes of it is theirs. */
  #making<A>(doing: () => A): A {
    const before = new Set(idsIn(this.#fork.rows))
    const made = doing()
    for (const id of idsIn(this.#fork.rows)) if (!before.has(id)) this.#own.add(id)
    return made
  }
}

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

const termsOf = (number: number): JsonObject => ({
  title: `Of strangers ${number}`,
  scope: "Theirs alone.",
  buyerName: "Strangers",
  supplierName: "Nobody yet",
  supplierReference: "none",
  criteria: [{ id: "one", title: "One", requirement: "One." }],
  deadline: "2099-01-01T00:00:00.000Z",
  reviewDeadline: "2099-02-01T00:00:00.000Z",
  baselineStatement: "None.",
  materialPolicy: "FILE_DIGESTS",
  termsPolicy: { purpose: "A record.", contractBasis: "THIS_AGREEMENT", sharing: "None.", sharingRecipients: [] },
  originals: { custodian: "Strangers", location: "Here", access: "None." },
  subjectRequirements: []
})

type StorageShape = Storage["Service"]

const notingLocks = (storage: StorageShape, locked: Map<string, Set<string>>): StorageShape => {
  const note = ({ kind, id }: Root) =>
    Effect.map(Effect.service(Actor), (actor) => {
      const root = `${kind} ${id}`
      locked.set(root, (locked.get(root) ?? new Set()).add(actor))
    })
  return {
    ...storage,
    transaction: (plan, body) =>
      Effect.andThen(
        Effect.forEach(plan.roots, note, { discard: true }),
        storage.transaction(plan, (transaction) =>
          body({
            get: (table, key) => transaction.get(table, key),
            find: (table, index, values) => transaction.find(table, index, values),
            range: (table, index, range) => transaction.range(table, index, range),
            insert: (table, row) => transaction.insert(table, row),
            update: (table, key, changes) => transaction.update(table, key, changes),
            remove: (table, key) => transaction.remove(table, key),
            afterCommit: (wake) => transaction.afterCommit(wake),
            now: transaction.now,
            lock: (root) => Effect.andThen(note(root), transaction.lock(root))
          })
        )
      )
  }
}
