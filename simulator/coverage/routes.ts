/** The operations of the service from its API definitions, compared with those of scripts, and lookup by path. */
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/agents.ts"
import { PublicApi } from "../../src/api/public.ts"
import { WorkspaceApi } from "../../src/api/people.ts"
import { apiOperations, publicOperations } from "../scenario/operations/agent-api.ts"
import { workspaceOperations } from "../scenario/operations/workspace-api.ts"
import { resources, type Resource } from "./resources.ts"

export interface Route {
  readonly operation: string
  readonly method: string
  /** With path parameters in braces. */
  readonly path: string
  /** The callers that it is for. */
  readonly of: "agent" | "person" | "public"
}

/** All operations of the service. */
export const routes: ReadonlyArray<Route> = (() => {
  const found: Array<Route> = []
  const add =
    (of: Route["of"]) =>
    ({
      endpoint
    }: {
      readonly endpoint: { readonly identifier: string; readonly method: string; readonly path: string }
    }) =>
      void found.push({
        operation: endpoint.identifier,
        method: endpoint.method,
        path: endpoint.path.replace(/:(\w+)/g, "{$1}"),
        of
      })
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: add("agent") })
  HttpApi.reflect(PublicApi, { onGroup: () => {}, onEndpoint: add("public") })
  HttpApi.reflect(WorkspaceApi, { onGroup: () => {}, onEndpoint: add("person") })
  return found
})()

/** Operations that scripts lack, and operations of scripts that the service lacks. */
export const operationMismatches = (): {
  readonly unnamed: ReadonlyArray<Route>
  readonly gone: ReadonlyArray<string>
} => {
  const named = { ...apiOperations, ...publicOperations, ...workspaceOperations }
  const isNamed = (route: Route): boolean => {
    const operation = named[route.operation]
    return operation?.method === route.method && operation.path === route.path
  }
  const unnamed = routes.filter((route) => !isNamed(route))
  const known = new Set(routes.filter(isNamed).map(({ operation }) => operation))
  return { unnamed, gone: Object.keys(named).filter((name) => !known.has(name)) }
}

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, "([^/]+)")}$`)
}))

/** The operation of a request; undefined if there is none, as for pages. */
export const routeOf = (method: string, path: string): Route | undefined =>
  patterns.find(({ route, pattern }) => route.method === method && pattern.test(withoutQuery(path)))?.route

const withoutQuery = (path: string): string => path.replace(/\?.*/, "")

/** The command in a path: the resource, its id, and the name of the command. */
export const commandOf = (
  path: string
): { readonly noun: Resource; readonly id: string; readonly command: string } | undefined => {
  const [, folder = "", id = "", command = ""] = /^(.*)\/([^/]+)\/([^/]+)$/.exec(withoutQuery(path)) ?? []
  const noun = resources.find(({ commands }) => commands?.folder.test(folder))
  return noun === undefined || noun.commands?.besides.includes(command) ? undefined : { noun, id, command }
}

/** All commands on resources with states, by kind of caller. */
export const commands: ReadonlyArray<{
  readonly noun: Resource
  readonly command: string
  readonly by: "agent" | "person"
}> = routes.flatMap(({ method, path, of }) => {
  const target = method === "POST" && of !== "public" ? commandOf(path) : undefined
  return target === undefined || !target.id.startsWith("{") || of === "public" ? [] : [{ ...target, by: of }]
})
