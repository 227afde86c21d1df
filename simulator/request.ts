/** Plans a request as a careful client does: from the actor's client state and the step's input. */
import type { Directory } from "./directory.ts"
import { headOfProject, pathOf, type ApiOperation, type Filling } from "./operations/api.ts"
import type { Json, JsonObject } from "./script/json.ts"
import type { Request } from "./world.ts"

export interface Wish {
  readonly actor: string
  readonly on: string | undefined
  /** Body members of the step; they take precedence over default inputs. */
  readonly given: JsonObject
  readonly envelope: JsonObject
  /** The token that replaces the actor's own. */
  readonly shows: string | undefined
}

export const planRequest = (operation: ApiOperation, wish: Wish, directory: Directory): Request => {
  const { actor, on, shows } = wish
  return {
    actor,
    method: operation.method,
    path: `${pathOf(operation, on)}${queryOf(operation, wish)}`,
    token: directory.agents.get(actor)?.token,
    shows,
    session: directory.people.get(actor)?.session,
    body: bodyOf(operation, wish, directory)
  }
}

/** The query string of an operation with a query. */
const queryOf = ({ body }: ApiOperation, { given }: Wish): string => {
  if (body !== "query" || Object.keys(given).length === 0) return ""
  return `?${new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString()}`
}

const bodyOf = (operation: ApiOperation, { actor, on, given, envelope }: Wish, directory: Directory) => {
  if (operation.body === "none" || operation.body === "query") return undefined
  const plan = directory.planFor(actor, on)
  const whole = operation.complete?.(plan, given) ?? given
  const input = filled(operation.fill?.(plan, whole) ?? {}, whole)
  if (operation.body === "plain") return input
  const { member, path } = operation.head ?? headOfProject
  const preconditions: Filling = {
    [member]: () => plan.read(path),
    ...(operation.body === "envelope" ? { automationRevision: () => plan.read("automation.revision") } : {})
  }
  return { ...filled(preconditions, envelope), input }
}

const filled = (filling: Filling, given: JsonObject): JsonObject => {
  const members: { [member: string]: Json } = {}
  for (const [member, value] of Object.entries(filling)) {
    if (!Object.hasOwn(given, member)) members[member] = typeof value === "function" ? value() : value
  }
  return { ...members, ...given }
}
