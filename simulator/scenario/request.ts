/** Plans a request as a careful client does: from the actor's client state and the step's input. */
import type { NameRegistry } from "../clients/name-registry.ts"
import { pathOf, type ApiOperation, type DefaultInputs } from "./operations/api-operation.ts"
import type { Json, JsonObject } from "../vocabulary/json.ts"
import type { Request } from "./world.ts"

export interface RequestInput {
  readonly actor: string
  readonly on: string | undefined
  /** Body members of the step; they take precedence over default inputs. */
  readonly input: JsonObject
  readonly envelope: JsonObject
  /** The token that replaces the actor's own. */
  readonly token: string | undefined
}

export const planRequest = (operation: ApiOperation, input: RequestInput, directory: NameRegistry): Request => {
  const { actor, on, token } = input
  return {
    actor,
    method: operation.method,
    path: `${pathOf(operation, on)}${queryOf(operation, input)}`,
    token: directory.agents.get(actor)?.token,
    tokenOverride: token,
    session: directory.people.get(actor)?.session,
    body: bodyOf(operation, input, directory)
  }
}

/** The query string of an operation: its whole input, or the members of which it says so. */
const queryOf = ({ body, query }: ApiOperation, { input }: RequestInput): string => {
  const members = Object.entries(input).filter(([name]) => body === "query" || query.includes(name))
  if (members.length === 0) return ""
  return `?${new URLSearchParams(members.map(([name, value]) => [name, String(value)])).toString()}`
}

const bodyOf = (
  operation: ApiOperation,
  { actor, on, input: given, envelope }: RequestInput,
  directory: NameRegistry
) => {
  if (operation.body === "none" || operation.body === "query") return undefined
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => !operation.query.includes(name)))
  const plan = directory.planFor(actor, on)
  const completed = operation.complete?.(plan, input) ?? input
  const body = filled(operation.fill(plan, completed), completed)
  if (operation.body === "plain") return body
  const { member, path } = operation.head
  const preconditions: DefaultInputs = {
    [member]: () => plan.read(path),
    ...(operation.body === "envelope" ? { automationRevision: () => plan.read("automation.revision") } : {})
  }
  return { ...filled(preconditions, envelope), input: body }
}

const filled = (filling: DefaultInputs, given: JsonObject): JsonObject => {
  const members: { [member: string]: Json } = {}
  for (const [member, value] of Object.entries(filling)) {
    if (!Object.hasOwn(given, member)) members[member] = typeof value === "function" ? value() : value
  }
  return { ...members, ...given }
}
