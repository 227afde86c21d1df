/**
 * An operation of an API as a careful client calls it: method, path and credential from the API definition, the rest from
 * the tables of this folder.
 */
import type { HttpMethod } from "effect/http"
import { HttpApi, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
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

export interface RequestForm {
  /** An agent's envelope has the head and the automation revision; a person's decision only the head. */
  readonly body: "none" | "query" | "plain" | "envelope" | "decision"
  /** The members of the input that the query has, beside a body. */
  readonly query?: ReadonlyArray<string>
  /** The head member of the envelope; default that of a project. */
  readonly head?: Head
  /** Default members of the body (of `input` in an envelope). */
  readonly fill?: (plan: RequestPlan, given: JsonObject) => DefaultInputs
  /** Completes the input where a step gives only a part of a member. */
  readonly complete?: (plan: RequestPlan, given: JsonObject) => JsonObject
}

export interface ApiOperation extends Endpoint, RequestForm {}

export type ApiOperations = { readonly [name: string]: ApiOperation }

export interface Head {
  readonly member: string
  /** Its path in a view. */
  readonly path: string
}

export const headOfProject: Head = { member: "expectedEventHash", path: "project.headEventHash" }
export const headOfProposal: Head = { member: "expectedProposalHead", path: "proposal.proposalHead" }

export const withoutBody: RequestForm = { body: "none" }

export const withQuery: RequestForm = { body: "query" }

export const withBody = (fill?: RequestForm["fill"], body: RequestForm["body"] = "plain"): RequestForm => ({
  body,
  ...(fill === undefined ? {} : { fill })
})

/** A request that is idempotent by its request id. */
export const withRequestId = withBody((plan) => ({ requestId: plan.uuid }))

/** The endpoints of an API by operation name, in the order of their definition. */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, Endpoint> => {
  const found = new Map<string, Endpoint>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, middleware }) =>
      void found.set(endpoint.identifier, {
        method: endpoint.method,
        path: endpoint.path.replace(/:(\w+)/g, "{$1}"),
        isPublic: ![...middleware].some(HttpApiMiddleware.isSecurity)
      })
  })
  return found
}

/** The operations of an API, in the order of the table; every operation requires a row, and other rows are errors. */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  forms: { readonly [Name in HttpApiGroup.Endpoints<Groups>["identifier"]]: RequestForm }
): ApiOperations => {
  const endpoints = endpointsOf(api)
  return Object.fromEntries(
    Object.entries<RequestForm>(forms).map(([name, form]) => {
      const endpoint = endpoints.get(name)
      if (endpoint === undefined) throw new Error(`The API ${api.identifier} has no operation ${name}.`)
      return [name, { ...endpoint, ...form }]
    })
  )
}

/** The path parameters, in order. */
export const pathParametersOf = ({ path }: Endpoint): ReadonlyArray<string> => path.match(parameter) ?? []

/** Fills the path parameters from the parts of `on`, which are separated by slashes. */
export const pathOf = ({ path }: Endpoint, on: string | undefined): string => {
  const parts = (on ?? "").split("/")
  return path.replace(parameter, () => encodeURIComponent(parts.shift() ?? ""))
}

const parameter = /\{\w+\}/g
