/**
 * The variables of a file: values that a request or an assert takes from an earlier response, request ids that are sent
 * twice, and dates.
 */
import { isObject, valueAt, type Json } from "../../simulator/vocabulary/json.ts"
import { siteUrl } from "../../simulator/environment/environment.ts"
import { assertsOf, sharedLists, type Assert } from "./asserts.ts"
import type { Exchange, Recording } from "./recording.ts"

export interface Capture {
  readonly name: string
  readonly path: string
}

/** What a file has of an exchange, with the variables in it. */
export interface TemplatedExchange {
  readonly exchange: Exchange
  readonly token: string | undefined
  readonly path: string
  readonly body: Json | undefined
  /** Variables that get a new UUID before the request. */
  readonly newIds: ReadonlyArray<string>
  /** Filled by later exchanges, which take their values from this response. */
  readonly captures: Array<Capture>
  readonly asserts: ReadonlyArray<Assert>
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
const generatedValue = new RegExp(
  `${siteUrl.replaceAll(".", "\\.")}|\\{[\\w ]+ of [\\w #]+\\}|(?:[a-z0-9]+_)*(?:${uuid}|[0-9a-f]{64})`,
  "g"
)
const requestId = new RegExp(`^${uuid}$`)
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The exchanges of a recording, in order. */
export const templatedExchanges = (recording: Recording): ReadonlyArray<TemplatedExchange> => {
  const exchanges = recording.parts.filter((part) => part.kind === "exchange")
  const variables = new Variables(recording, exchanges)
  return exchanges.map((exchange) => variables.add(exchange))
}

class Variables {
  readonly #done: Array<TemplatedExchange> = []
  /** How often each value is sent. */
  readonly #sends = new Map<string, number>()
  /** The name that a value has, whether or not it is used. */
  readonly #names = new Map<string, string>()
  /** Values that have a variable by now. */
  readonly #known = new Set<string>()
  /** Values that a file sends as the scenario states them. */
  readonly #literals = new Set<string>()
  readonly #instants = new Map<string, string>()
  #newIds: Array<string> = []

  constructor({ people }: Recording, exchanges: ReadonlyArray<Exchange>) {
    for (const { body } of exchanges) {
      for (const [value] of JSON.stringify(body ?? null).matchAll(generatedValue)) {
        this.#sends.set(value, (this.#sends.get(value) ?? 0) + 1)
      }
    }
    for (const { name, personId, organizations } of people) {
      this.#name(personId, `${name}_id`)
      for (const organization of organizations) this.#name(organization.organizationId, `${organization.name}_id`)
    }
    for (const { step, response } of exchanges) {
      for (const [name, path] of step?.keep ?? []) {
        const kept = valueAt(response ?? null, path)
        if (typeof kept === "string" && kept.match(generatedValue)?.[0] === kept) this.#name(kept, snakeCase(name))
      }
    }
  }

  add(exchange: Exchange): TemplatedExchange {
    this.#newIds = []
    const { credential, actor } = exchange
    const sent = (value: string) => this.#sentText(value, actor)
    const templated: TemplatedExchange = {
      exchange,
      token: credential !== undefined && "token" in credential ? sent(credential.token) : undefined,
      path: sent(exchange.path),
      body: exchange.body === undefined ? undefined : this.#sentBody(exchange.body, actor),
      newIds: this.#newIds,
      captures: [],
      asserts: assertsOf(exchange).flatMap((assert) => this.#asserted(assert, actor))
    }
    this.#done.push(templated)
    return templated
  }

  #sentBody(value: Json, actor: string, member = ""): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#sentBody(item, actor))
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#sentBody(item, actor, name)]))
    }
    if (typeof value !== "string") return value
    return instant.test(value) ? this.#sentInstant(value, member) : this.#sentText(value, actor)
  }

  /** What expires may do so within 30 days; other dates have no bound, and are those of the scenario a century later. */
  #sentInstant(value: string, member: string): string {
    const moved = member === "expiresAt" ? "{{in_a_week}}" : `${Number(value.slice(0, 4)) + 100}${value.slice(4)}`
    this.#instants.set(value, moved)
    return moved
  }

  #sentText(text: string, actor: string): string {
    return text.replace(generatedValue, (value) => {
      const reference = this.#referenceTo(value, actor)
      if (reference !== undefined) return reference
      if (requestId.test(value)) return this.#newId(value)
      this.#literals.add(value)
      return value
    })
  }

  #newId(value: string): string {
    if (this.#sends.get(value) === 1) return "{{newUuid}}"
    const name = this.#name(value, "request_id")
    this.#known.add(value)
    this.#newIds.push(name)
    return `{{${name}}}`
  }

  /** An assert on a value that only this response has shown would compare it with nothing, and is left out. */
  #asserted(assert: Assert, actor: string): ReadonlyArray<Assert> {
    if (typeof assert.value !== "string") return [assert]
    if (instant.test(assert.value)) {
      const moved = this.#instants.get(assert.value)
      return moved === undefined ? [] : [{ ...assert, value: moved }]
    }
    let isKnown = true
    const value = assert.value.replace(generatedValue, (found) => {
      const reference = this.#referenceTo(found, actor)
      if (reference === undefined && !this.#literals.has(found)) isKnown = false
      return reference ?? found
    })
    return isKnown ? [{ ...assert, value }] : []
  }

  /** A reference to the value, which is captured from an earlier response if it has no variable yet. */
  #referenceTo(value: string, actor: string): string | undefined {
    if (value === siteUrl) return "{{origin}}"
    if (this.#literals.has(value)) return undefined
    if (!this.#known.has(value)) {
      const source = this.#sourceOf(value, actor)
      if (source === undefined) return undefined
      const { shown, path } = source
      shown.captures.push({ name: this.#name(value, defaultName(value, path, shown.exchange)), path })
      this.#known.add(value)
    }
    return `{{${this.#names.get(value)}}}`
  }

  /** The last response that showed the value to this actor, else the first one that showed it to another. */
  #sourceOf(value: string, actor: string) {
    const candidates = this.#done.flatMap((shown) => {
      const { isLost, operation, response = null } = shown.exchange
      const path = isLost || sharedLists.has(operation) ? undefined : shortestPathTo(value, response)
      return path === undefined ? [] : [{ shown, path }]
    })
    return candidates.findLast(({ shown }) => shown.exchange.actor === actor) ?? candidates[0]
  }

  /** The value's name; the second value with a name gets the suffix _2. */
  #name(value: string, wanted: string): string {
    const before = this.#names.get(value)
    if (before !== undefined) return before
    const used = new Set(this.#names.values())
    let name = wanted
    for (let count = 2; used.has(name); count++) name = `${wanted}_${count}`
    this.#names.set(value, name)
    return name
  }
}

/** Where a response has exactly this value, at the least depth. */
const shortestPathTo = (value: string, response: Json): string | undefined =>
  pathsTo(value, response, "").toSorted((one, other) => one.split(".").length - other.split(".").length)[0]

const pathsTo = (value: string, within: Json, path: string): ReadonlyArray<string> => {
  if (within === value) return [path]
  if (typeof within !== "object" || within === null) return []
  return Object.entries(within).flatMap(([name, member]) =>
    pathsTo(value, member as Json, path === "" ? name : `${path}.${name}`)
  )
}

/** A secret is named as in the trace, an id of a grant after its agent, and another value after its member. */
const defaultName = (value: string, path: string, { body, operation }: Exchange): string => {
  const [, kind, of] = /^\{(.+) of (\w+)[^{}]*\}$/.exec(value) ?? []
  if (kind !== undefined && of !== undefined) return snakeCase(`${of} ${kind}`)
  const names = path.split(".").filter((name) => !/^\d+$/.test(name))
  const last = names.slice(names.at(-1) === "id" || names.at(-1) === "digest" ? -2 : -1).join(" ")
  const agent = operation === "createGrant" && isObject(body ?? null) ? valueAt(body ?? null, "agentName") : undefined
  return snakeCase(agent === undefined ? last : `${String(agent)} ${last}`)
}

const snakeCase = (words: string): string =>
  words
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase()
