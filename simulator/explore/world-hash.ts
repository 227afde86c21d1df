/**
 * The state hash: a digest of everything that determines the future of a world. It covers rows, clock, waiting fibers,
 * timers, positions of the random streams, answers to the parties and fiber histories. States with equal hashes have the
 * same future; the past counts only as far as a participant retains it.
 */
import { hash } from "node:crypto"
import type { Journey } from "../journey.ts"
import type { Observed } from "../observation.ts"
import type { Json } from "../script/json.ts"
import type { Stage } from "../stage.ts"

/** By party and process: a digest of its observed requests, answers and events. */
export class Histories {
  readonly #histories = new Map<string, string>()

  observe(observed: Observed): void {
    if (observed.kind === "commit" || observed.kind === "choice") return
    const { at, ofStep: _step, ofRequest: _request, ofProject: _project, ...what } = observed
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

export const worldHash = (stage: Stage, journey: Journey, histories: Histories, memory: Json): string => {
  const { kernel, store } = stage
  const waiting = kernel.waiting.map(
    ({ name, at, line, wait }) => `${name} ${at ?? ""} ${line?.name} ${wait} ${line?.history}`
  )
  return hash(
    "sha256",
    JSON.stringify([
      store?.hash(),
      kernel.now,
      kernel.slowness,
      waiting.sort(),
      [...kernel.streams.drawn].sort(byName),
      histories.digests,
      digestsOf(journey.directory.names),
      journey.world.faults.waiting,
      memory
    ])
  )
}

/** A name refers to the answer that was kept under it last, so the kept values are part of the state. */
const digestsOf = (names: ReadonlyMap<string, Json>): ReadonlyArray<readonly [name: string, digest: Json]> =>
  [...names].map(([name, value]): readonly [string, Json] => [name, digestOf(value)]).sort(byName)

const digestOf = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
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
