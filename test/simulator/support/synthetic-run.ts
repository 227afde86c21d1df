/** A synthetic run for testing one property: observations and rows without a service. */
import type { HttpMethod } from "effect/http"
import { NameRegistry } from "../../../simulator/clients/name-registry.ts"
import type { MonitoredProperty } from "../../../simulator/properties/property.ts"
import { Monitors } from "../../../simulator/properties/monitors.ts"
import { VirtualScheduler } from "../../../simulator/kernel/scheduler.ts"
import { RandomStreams } from "../../../simulator/kernel/prng.ts"
import { type Content, emptyContent, replaceRow, rowAt } from "../../../simulator/storage/memory-storage/content.ts"
import type { Observation, UntracedContext, Write } from "../../../simulator/observation/observation.ts"
import type { Json } from "../../../simulator/vocabulary/json.ts"
import { seededSigner } from "../../../simulator/environment/signer.ts"
import { toBase64url } from "../../../src/canonical/base64url.ts"
import type { AnyTable, RowOf } from "../../../src/ports/table.ts"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"

export const noon = "2026-10-05T12:00:00.000Z" as Instant

/** A test signer. */
export const signer = seededSigner(new RandomStreams(1))

/** An inserted, updated or removed row. */
export interface Change {
  readonly table: AnyTable
  readonly row: { readonly [column: string]: unknown }
  readonly isRemoved: boolean
}

/** Missing columns keep their values in an existing row and are empty in a new one. */
export const put = <T extends AnyTable>(table: T, row: Partial<RowOf<T>>): Change => ({ table, row, isRemoved: false })

/** Removes the row with this key. */
export const remove = <T extends AnyTable>(table: T, row: Partial<RowOf<T>>): Change => ({
  table,
  row,
  isRemoved: true
})

export class SyntheticRun {
  readonly directory = new NameRegistry(new VirtualScheduler({ seed: 1, startsAt: 0 }))
  readonly #monitors: Monitors
  #content: Content = emptyContent
  #at = noon
  #idled = 0

  constructor(property: MonitoredProperty, keys = signer.keys) {
    this.#monitors = new Monitors([property], emptyContent, keys)
  }

  /** The first violation. */
  get violation(): string | undefined {
    return this.#monitors.violation?.words
  }

  get isReached(): boolean {
    return this.#monitors.reached.size > 0
  }

  /** Sets an agent's current token. */
  agent(name: string, grantId: string, token: string): this {
    this.directory.addAgent(name, { id: `agent_${name}`, grantId, token })
    return this
  }

  /** Adds a signed-in person. */
  person(name: string, id: string): this {
    this.directory.addPerson(name, id, { issuer: "", subject: name, name, email: null })
    this.directory.people.get(name)!.session = `session of ${name}`
    return this
  }

  later(milliseconds: number): this {
    this.#at = addMilliseconds(this.#at, milliseconds)
    return this
  }

  /** Lets time pass as an injected delay. */
  delays(milliseconds: number): this {
    this.#idled += milliseconds
    return this.later(milliseconds)
  }

  observes(observation: Observation, context: UntracedContext = {}): this {
    this.#monitors.observe({ ...observation, at: this.#at, ...context }, this.#content, this.directory, this.#idled)
    return this
  }

  asks(actor: string, method: HttpMethod.HttpMethod, path: string, body?: Json): this {
    return this.observes({ kind: "request", actor, method, path, with: undefined, body, lost: false })
  }

  answers(actor: string, status: number, body?: Json): this {
    return this.observes({ kind: "response", actor, status, body, lost: false })
  }

  /** An act without a request. */
  acts(actor: string, operation: string, body: Json): this {
    this.observes({ kind: "act", actor, operation, on: undefined, input: {} })
    return this.observes({ kind: "answer", actor, refused: undefined, body })
  }

  /** One transaction of a request. */
  commits(actor: string, ...changes: ReadonlyArray<Change>): this {
    const writes = changes.map((change) => this.#write(change))
    return this.observes({ kind: "commit", actor, writes }, { ofStep: 1 })
  }

  /** One transaction of an act or of a worker. */
  commitsWithoutRequest(actor: string, ...changes: ReadonlyArray<Change>): this {
    return this.observes({ kind: "commit", actor, writes: changes.map((change) => this.#write(change)) })
  }

  /** Adds rows without an observation. */
  holds(...changes: ReadonlyArray<Change>): this {
    for (const change of changes) this.#write(change)
    return this.observes({ kind: "scenario", title: "", seed: 1 })
  }

  sendsWebhook(deliveryId: string, body: Json = {}): this {
    const headers = { "service-delivery-id": deliveryId }
    return this.observes({ kind: "callback", actor: "worker", receiver: "desk", headers, body })
  }

  ends(): this {
    this.observes({ kind: "time", to: this.#at })
    this.#monitors.end()
    return this
  }

  #write({ table, row: given, isRemoved }: Change): Write {
    const key = table.key.map((column: string) => given[column] as Write["key"][number])
    const old = rowAt(this.#content, table, "key", key)
    const row = isRemoved ? undefined : { ...(old ?? emptyRow(table)), ...given }
    this.#content = replaceRow(this.#content, table, old, row)
    return { change: isRemoved ? "remove" : old === undefined ? "insert" : "update", table: table.name, key }
  }
}

const emptyRow = (table: AnyTable) =>
  Object.fromEntries(
    Object.entries<{ readonly type: string; readonly nullable: boolean }>(table.columns).map(
      ([column, { type, nullable }]) => [column, nullable ? null : emptyValues[type]]
    )
  )

const emptyValues: { readonly [type: string]: unknown } = {
  text: "",
  integer: 0,
  boolean: false,
  instant: noon,
  json: []
}

/** A stored JWS without a signature. */
export const jwsOf = (payload: object): string => `.${toBase64url(JSON.stringify(payload))}.`
