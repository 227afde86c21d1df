/** Infers the operation and the shortest input from which the client would send exactly a given request. */
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { NameRegistry } from "../clients/name-registry.ts"
import { apiOperations, publicOperations } from "../scenario/operations/agent-api.ts"
import type { ApiOperation } from "../scenario/operations/api-operation.ts"
import { operationForms } from "../scenario/operations/operation-forms.ts"
import { MissingClientState, UnknownState } from "../clients/client-state.ts"
import { personCommands } from "../scenario/operations/person-commands.ts"
import { workspaceOperations } from "../scenario/operations/workspace-api.ts"
import { acts } from "../scenario/people.ts"
import { planRequest } from "../scenario/request.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import type { Session } from "../scenario/session.ts"
import type { IncomingRequest } from "./incoming-request.ts"

/** Undefined if no operation results in this request. */
export const inferOperation = (
  incoming: IncomingRequest,
  body: Json | undefined,
  actor: string,
  session: Session
): StepForm | undefined => {
  const { directory } = session.context
  const [path = "", query] = incoming.path.split("?", 2)
  for (const [name, operation] of operations) {
    if (operation.method !== incoming.method || !isDoneBy(name, actor, directory)) continue
    const on = onIn(operation, path)
    if (on === undefined) continue
    const given = givenIn(operation, body, query)
    if (given === undefined) continue
    const isExact = ({ input, envelope }: Inputs): boolean =>
      isPlanned(incoming, body, operation, { actor, on: on === "" ? undefined : on, input, envelope }, directory)
    if (!isExact(given)) continue
    const { input, envelope } = shortest(given, isExact)
    // A script would read `${` as a reference.
    if (JSON.stringify([on, input, envelope]).includes("${")) return undefined
    return {
      as: actor,
      do: name,
      ...(on === "" ? {} : { on }),
      ...(Object.keys(input).length === 0 ? {} : { input }),
      ...(Object.keys(envelope).length === 0 ? {} : { envelope })
    }
  }
  return undefined
}

/** Without the operations whose names are script commands. */
const operations = Object.entries({ ...apiOperations, ...publicOperations, ...workspaceOperations }).filter(
  ([name]) => personCommands[name] === undefined && acts[name] === undefined
)

const isDoneBy = (name: string, actor: string, { people, agents }: NameRegistry): boolean => {
  const by = operationForms.get(name)?.by ?? []
  return by.includes(people.has(actor) ? "person" : agents.has(actor) ? "agent" : "visitor")
}

/** The values of the path parameters; undefined if the path does not match. */
const onIn = ({ path }: ApiOperation, found: string): string | undefined => {
  const form = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith("{") ? "([^/]+)" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
  const match = new RegExp(`^${form.join("")}$`).exec(found)
  if (match === null) return undefined
  try {
    return match.slice(1).map(decodeURIComponent).join("/")
  } catch {
    return undefined
  }
}

interface Inputs {
  readonly input: JsonObject
  readonly envelope: JsonObject
}

/** The complete input of the request, without default inputs. */
const givenIn = (operation: ApiOperation, body: Json | undefined, query: string | undefined): Inputs | undefined => {
  const inQuery = Object.fromEntries(new URLSearchParams(query ?? ""))
  if (operation.body === "query") return body === undefined ? { input: inQuery, envelope: {} } : undefined
  if (query !== undefined && operation.query.length === 0) return undefined
  if (operation.body === "none") return body === undefined ? { input: {}, envelope: {} } : undefined
  if (!isObject(body)) return undefined
  if (operation.body === "plain") return { input: { ...inQuery, ...body }, envelope: {} }
  const { input, ...envelope } = body
  return isObject(input) && operation.head.member in envelope ? { input, envelope } : undefined
}

const isPlanned = (
  { path }: IncomingRequest,
  body: Json | undefined,
  operation: ApiOperation,
  { actor, on, input, envelope }: Inputs & { readonly actor: string; readonly on: string | undefined },
  directory: NameRegistry
): boolean => {
  try {
    const request = { actor, on, input, envelope, token: undefined }
    const planned = planRequest(operation, request, withoutRandomness(directory))
    if (planned.path !== path) return false
    if (planned.body === undefined || body === undefined) return planned.body === body
    return canonicalText(planned.body) === canonicalText(body)
  } catch (error) {
    if (error instanceof MissingClientState || error instanceof UnknownState || error instanceof RandomnessNeeded)
      return false
    throw error
  }
}

/** Removes the members that are equal to default inputs. */
const shortest = (given: Inputs, isExact: (inputs: Inputs) => boolean): Inputs => {
  let result = given
  for (const part of ["envelope", "input"] as const) {
    for (const member of Object.keys(given[part])) {
      const { [member]: _, ...rest } = result[part]
      const shorter = { ...result, [part]: rest }
      if (isExact(shorter)) result = shorter
    }
  }
  return result
}

/** Planning needs a random request id. */
class RandomnessNeeded extends Error {
  override readonly name = "RandomnessNeeded"
}

/** The same client state, without access to the random streams. */
const withoutRandomness = (directory: NameRegistry): NameRegistry =>
  override(directory, {
    planFor: (name: string, on: string | undefined) =>
      override(directory.planFor(name, on), {
        uuid: () => {
          throw new RandomnessNeeded("a request id")
        }
      })
  })

const override = <Target extends object>(target: Target, instead: Partial<Target>): Target =>
  new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(instead, key)) return Reflect.get(instead, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === "function" ? value.bind(target) : value
    }
  })
