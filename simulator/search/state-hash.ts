/**
 * The state hash: a digest of everything that determines the future of a world. It covers rows, clock, caches, the payment provider, waiting
 * fibers, timers, positions of the random streams, answers to the parties and fiber histories. States with equal hashes have the
 * same future; the past counts only as far as a participant retains it.
 */
import { hash } from "node:crypto"
import type { ScenarioContext } from "../scenario/scenario-context.ts"
import type { TimedObservation } from "../observation/observation.ts"
import type { Json } from "../vocabulary/json.ts"
import type { SimulationSetup } from "../scenario/simulation-setup.ts"

/** By party and process: a digest of its observed requests, answers and events. */
export class ActorHistories {
  readonly #histories = new Map<string, string>()

  observe(observed: TimedObservation): void {
    if (observed.kind === "commit" || observed.kind === "choice") return
    const {
      at,
      ofStep: _step,
      ofRequest: _request,
      ofSend: _send,
      ofProject: _project,
      ofProvider: _provider,
      ofReadback: _readback,
      isUnauthorized: _unauthorized,
      ...what
    } = observed
    // The start of a step determines how long it waits for an answer.
    if (observed.kind === "step") return this.note("the script", [observed.step, at])
    // The callers of a crashed process are not notified.
    if (observed.kind === "process") return this.note("the processes", what)
    const whose = "actor" in observed && observed.actor !== undefined ? observed.actor : undefined
    const receiver = "receiver" in observed ? observed.receiver : undefined
    for (const name of new Set([whose, receiver])) if (name !== undefined) this.note(name, what)
  }

  /** Adds an event that determines the future and is not observable yet. */
  note(name: string, what: unknown): void {
    this.#histories.set(name, hash("sha256", `${this.#histories.get(name) ?? ""}\n${JSON.stringify(what)}`))
  }

  get digests(): ReadonlyArray<readonly [name: string, digest: string]> {
    return [...this.#histories].sort(byName)
  }
}

export const stateHash = (
  setup: SimulationSetup,
  context: ScenarioContext,
  histories: ActorHistories,
  memory: Json
): string => {
  const { scheduler, store } = setup
  const waiting = scheduler.waiting.map(
    ({ name, at, history, wait }) => `${name} ${at ?? ""} ${history?.name} ${wait} ${history?.history}`
  )
  return hash(
    "sha256",
    JSON.stringify([
      store?.hash(),
      scheduler.now,
      scheduler.slowness,
      waiting.sort(),
      [...scheduler.streams.drawn].sort(byName),
      histories.digests,
      digestsOf(context.directory.names),
      context.world.faults.waiting,
      context.world.payments?.memory,
      context.world.caches.values
        .map(([process, cache, key, value]) => `${process} ${cache} ${key} ${digestOfObject(value)}`)
        .sort(),
      memory
    ])
  )
}

/** A name refers to the answer that was kept under it last, so the kept values are part of the state. */
const digestsOf = (names: ReadonlyMap<string, Json>): ReadonlyArray<readonly [name: string, digest: Json]> =>
  [...names].map(([name, value]): readonly [string, Json] => [name, digestOf(value)]).sort(byName)

const digestOf = (value: Json): Json => {
  return typeof value !== "object" || value === null ? value : digestOfObject(value)
}

const digestOfObject = (value: object): string => {
  const known = digests.get(value)
  if (known !== undefined) return known
  const digest = hash("sha256", JSON.stringify(value))
  digests.set(value, digest)
  return digest
}

/** By value, since kept values are immutable. */
const digests = new WeakMap<object, string>()

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0
