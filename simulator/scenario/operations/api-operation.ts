/**
 * An operation of an API as a careful client calls it: method, path, credential and the shape of its input from the API
 * definition, default inputs from the tables of this folder.
 */
import type { SchemaAST } from "effect"
import type { HttpMethod } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { RequestPlan } from "../../clients/client-state.ts"
import type { Json, JsonObject } from "../../vocabulary/json.ts"

export interface Endpoint {
  readonly method: HttpMethod.HttpMethod
  /** With path parameters in braces. */
  readonly path: string
  /** True if the operation requires no credential. */
  readonly isPublic: boolean
}

/** Default members; a function is evaluated only if the step omits the member. */
export type DefaultInputs = { readonly [member: string]: Json | (() => Json) }

/** Where the input of an operation is sent. */
interface InputShape {
  /** An agent's envelope has the head and the automation revision; a person's decision only the head. */
  readonly body: "none" | "query" | "plain" | "envelope" | "decision"
  /** The members of the input that the query has, where it stands beside a body. */
  readonly query: ReadonlyArray<string>
  readonly head: Head
}

export interface Defaults {
  /** Default members of the body (of `input` in an envelope). */
  readonly fill: (plan: RequestPlan, given: JsonObject) => DefaultInputs
  /** Completes the input where a step gives only a part of a member. */
  readonly complete?: (plan: RequestPlan, given: JsonObject) => JsonObject
}

export interface ApiOperation extends Endpoint, InputShape, Defaults {}

export type ApiOperations = { readonly [name: string]: ApiOperation }

interface Head {
  readonly member: string
  /** Its path in a view. */
  readonly path: string
}

const headOfProject: Head = { member: "expectedEventHash", path: "project.headEventHash" }
const headOfProposal: Head = { member: "expectedProposalHead", path: "proposal.proposalHead" }

/** The operations of an API, in the order of their definition; `defaults` names those that need more than the usual inputs. */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  defaults: { readonly [Name in HttpApiGroup.Endpoints<Groups>["identifier"]]?: Defaults } = {}
): ApiOperations => {
  const ownDefaults = new Map(Object.entries<Defaults | undefined>(defaults))
  const found: { [name: string]: ApiOperation } = {}
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, middleware }) => {
      found[endpoint.identifier] = {
        method: endpoint.method,
        path: endpoint.path.replace(/:(\w+)/g, "{$1}"),
        isPublic: ![...middleware].some(HttpApiMiddleware.isSecurity),
        ...shapeOf(endpoint),
        fill: usualInputs(inputMembersOf(endpoint)),
        ...ownDefaults.get(endpoint.identifier)
      }
    }
  })
  const unknown = [...ownDefaults.keys()].find((name) => found[name] === undefined)
  if (unknown !== undefined) throw new Error(`The API ${api.identifier} has no operation ${unknown}.`)
  return found
}

const shapeOf = (endpoint: HttpApiEndpoint.Top): InputShape => {
  const members = bodyOf(endpoint)
  const head = members?.has(headOfProposal.member) === true ? headOfProposal : headOfProject
  const query = endpoint.query === undefined ? [] : [...membersOf(endpoint.query.ast).keys()].map(String)
  if (members === undefined) return { body: endpoint.query === undefined ? "none" : "query", query, head }
  if (!members.has("input")) return { body: "plain", query, head }
  return { body: members.has("automationRevision") ? "envelope" : "decision", query, head }
}

/** Every request has an id of its own, and a decision names the agreement that was read. */
const usualInputs =
  (members: Members): Defaults["fill"] =>
  (plan) => ({
    ...(members.has("requestId") ? { requestId: plan.uuid } : {}),
    ...(members.has("agreementDigest") ? { agreementDigest: () => plan.read("project.agreement.digest") } : {})
  })

type Members = ReadonlyMap<PropertyKey, SchemaAST.AST>

const inputMembersOf = (endpoint: HttpApiEndpoint.Top): Members => {
  const members = bodyOf(endpoint) ?? new Map<never, never>()
  const input = members.get("input")
  return input === undefined ? members : membersOf(input)
}

/** The members of the body; undefined for an operation without one. */
const bodyOf = (endpoint: HttpApiEndpoint.Top): Members | undefined => {
  const [payload] = endpoint.payload.values()
  return payload === undefined ? undefined : new Map(payload.schemas.flatMap(({ ast }) => [...membersOf(ast)]))
}

const membersOf = (ast: SchemaAST.AST): Members => {
  if (ast._tag === "Union") return new Map(ast.types.flatMap((one) => [...membersOf(one)]))
  return new Map(ast._tag === "Objects" ? ast.propertySignatures.map(({ name, type }) => [name, type]) : [])
}

/** The path parameters, in order. */
export const pathParametersOf = ({ path }: Endpoint): ReadonlyArray<string> => path.match(parameter) ?? []

/** Fills the path parameters from the parts of `on`, which are separated by slashes. */
export const pathOf = ({ path }: Endpoint, on: string | undefined): string => {
  const parts = (on ?? "").split("/")
  return path.replace(parameter, () => encodeURIComponent(parts.shift() ?? ""))
}

const parameter = /\{\w+\}/g
