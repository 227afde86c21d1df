/** The operations of the service, as its own definitions list them and as scripts name them, and what a path asks for. */
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api.ts"
import { PublicApi } from "../../src/public-api.ts"
import { WorkspaceApi } from "../../src/workspace-api.ts"
import { apiOperations, publicOperations } from "../operations/api.ts"
import { workspaceOperations } from "../operations/workspace.ts"
import { nouns, type Noun } from "./nouns.ts"

export interface Route {
  readonly operation: string
  readonly method: string
  /** With a name in braces for each id. */
  readonly path: string
  /** Who it is for; whoever asks, it is the same operation. */
  readonly of: "agent" | "person" | "anybody"
}

/** Every operation that the service has. */
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
  HttpApi.reflect(PublicApi, { onGroup: () => {}, onEndpoint: add("anybody") })
  HttpApi.reflect(WorkspaceApi, { onGroup: () => {}, onEndpoint: add("person") })
  return found
})()

/** Operations that a script cannot name, and names of scripts that lead nowhere. */
export const unknownToScripts = (): {
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

/** The operation that a request asks for; undefined where the service has none, as for its pages. */
export const routeOf = (method: string, path: string): Route | undefined =>
  patterns.find(({ route, pattern }) => route.method === method && pattern.test(withoutQuery(path)))?.route

const withoutQuery = (path: string): string => path.replace(/\?.*/, "")

/** What is asked of one thing: which, and the name of the command. */
export const commandOf = (
  path: string
): { readonly noun: Noun; readonly id: string; readonly command: string } | undefined => {
  const [, folder = "", id = "", command = ""] = /^(.*)\/([^/]+)\/([^/]+)$/.exec(withoutQuery(path)) ?? []
  const noun = nouns.find(({ commands }) => commands?.folder.test(folder))
  return noun === undefined || noun.commands?.besides.includes(command) ? undefined : { noun, id, command }
}

/** Every command on something that has states, with who has an operation for it. */
export const commands: ReadonlyArray<{
  readonly noun: Noun
  readonly command: string
  readonly by: "agent" | "person"
}> = routes.flatMap(({ method, path, of }) => {
  const asked = method === "POST" && of !== "anybody" ? commandOf(path) : undefined
  return asked === undefined || !asked.id.startsWith("{") || of === "anybody" ? [] : [{ ...asked, by: of }]
})
