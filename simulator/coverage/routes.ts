/** The operations of the service from its API definitions, and lookup by path. */
import { apiOperations, publicOperations } from "../scenario/operations/agent-api.ts"
import type { ApiOperations, Endpoint } from "../scenario/operations/api-operation.ts"
import { workspaceOperations } from "../scenario/operations/workspace-api.ts"
import { resources, type Resource } from "./resources.ts"

export interface Route extends Endpoint {
  readonly operation: string
  /** The callers that it is for. */
  readonly of: "agent" | "person" | "public"
}

const routesOf = (of: Route["of"], operations: ApiOperations): ReadonlyArray<Route> =>
  Object.entries(operations).map(([operation, { method, path, isPublic }]) => ({
    operation,
    of,
    method,
    path,
    isPublic
  }))

/** All operations of the service. */
export const routes: ReadonlyArray<Route> = [
  ...routesOf("agent", apiOperations),
  ...routesOf("public", publicOperations),
  ...routesOf("person", workspaceOperations)
]

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
