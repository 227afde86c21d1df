/** The operation, and what is said beside it, from which a careful client would send exactly a given request. */
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { Directory } from "../directory.ts"
import { type ApiOperation, apiOperations, headOfProject, publicOperations } from "../operations/api.ts"
import { operationForms } from "../operations/forms.ts"
import { NotRead, UnknownState } from "../operations/knowledge.ts"
import { words } from "../operations/words.ts"
import { workspaceOperations } from "../operations/workspace.ts"
import { acts } from "../people.ts"
import { planRequest } from "../request.ts"
import type { StepForm } from "../script/format.ts"
import { isObject, type Json, type JsonObject } from "../script/json.ts"
import type { Session } from "../session.ts"
import type { Incoming } from "./incoming.ts"

/** Undefined where there are no such words. */
export const wordsFor = (
  incoming: Incoming,
  body: Json | undefined,
  actor: string,
  session: Session
): StepForm | undefined => {
  const { directory } = session.journey
  const [path = "", query] = incoming.path.split("?", 2)
  for (const [name, operation] of operations) {
    if (operation.method !== incoming.method || !isDoneBy(name, actor, directory)) continue
    const on = onIn(operation, path)
    if (on === undefined) continue
    const given = givenIn(operation, body, query)
    if (given === undefined) continue
    const isExact = ({ input, envelope }: Said): boolean =>
      isPlanned(incoming, body, operation, { actor, on: on === "" ? undefined : on, input, envelope }, directory)
    if (!isExact(given)) continue
    const { input, envelope } = shortest(given, isExact)
    // A script would take it for a reference.
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

/** What scripts have words of their own for means something else than one request. */
const operations = Object.entries({ ...apiOperations, ...publicOperations, ...workspaceOperations }).filter(
  ([name]) => words[name] === undefined && acts[name] === undefined
)

const isDoneBy = (name: string, actor: string, { people, agents }: Directory): boolean => {
  const by = operationForms.get(name)?.by ?? []
  return by.includes(people.has(actor) ? "person" : agents.has(actor) ? "agent" : "visitor")
}

/** What stands in the places of the names in braces; undefined where the path is another. */
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

interface Said {
  readonly input: JsonObject
  readonly envelope: JsonObject
}

/** Everything that the request says, so that nothing is left to fill in. */
const givenIn = (operation: ApiOperation, body: Json | undefined, query: string | undefined): Said | undefined => {
  if (operation.body === "query") {
    return body === undefined
      ? { input: Object.fromEntries(new URLSearchParams(query ?? "")), envelope: {} }
      : undefined
  }
  if (query !== undefined) return undefined
  if (operation.body === "none") return body === undefined ? { input: {}, envelope: {} } : undefined
  if (!isObject(body)) return undefined
  if (operation.body === "plain") return { input: body, envelope: {} }
  const { input, ...envelope } = body
  return isObject(input) && (operation.head ?? headOfProject).member in envelope ? { input, envelope } : undefined
}

const isPlanned = (
  { path }: Incoming,
  body: Json | undefined,
  operation: ApiOperation,
  { actor, on, input, envelope }: Said & { readonly actor: string; readonly on: string | undefined },
  directory: Directory
): boolean => {
  try {
    const wish = { actor, on, given: input, envelope, shows: undefined }
    const planned = planRequest(operation, wish, drawingNothing(directory))
    if (planned.path !== path) return false
    if (planned.body === undefined || body === undefined) return planned.body === body
    return canonicalText(planned.body) === canonicalText(body)
  } catch (error) {
    if (error instanceof NotRead || error instanceof UnknownState || error instanceof Drawn) return false
    throw error
  }
}

/** Leaves out what its actor fills in to the letter. */
const shortest = (given: Said, isExact: (said: Said) => boolean): Said => {
  let said = given
  for (const part of ["envelope", "input"] as const) {
    for (const member of Object.keys(given[part])) {
      const { [member]: _, ...rest } = said[part]
      const shorter = { ...said, [part]: rest }
      if (isExact(shorter)) said = shorter
    }
  }
  return said
}

/** A request id that would have been drawn. */
class Drawn extends Error {
  override readonly name = "Drawn"
}

/** Plans from the same knowledge, and takes nothing from any stream of randomness. */
const drawingNothing = (directory: Directory): Directory =>
  over(directory, {
    planFor: (name: string, on: string | undefined) =>
      over(directory.planFor(name, on), {
        uuid: () => {
          throw new Drawn("a request id")
        }
      })
  })

const over = <Target extends object>(target: Target, instead: Partial<Target>): Target =>
  new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(instead, key)) return Reflect.get(instead, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === "function" ? value.bind(target) : value
    }
  })
