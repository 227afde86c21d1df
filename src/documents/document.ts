/** Serves the OpenAPI documents: generated from the operations once a process, and completed for this installation. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Api } from "../api/agents.ts"
import { Installation } from "../ports/installation.ts"
import { PublicApi } from "../api/public.ts"
import { WorkspaceApi } from "../api/people.ts"
import { complete } from "./complete.ts"
import type { Json, JsonObject } from "./json.ts"
import { refusalsOf } from "./operation.ts"

/** The documents by the path under which they are served. */
const sources = {
  "/api/agents/v1/openapi.json": () => documentOf(Api),
  "/api/workspace/openapi.json": () => documentOf(WorkspaceApi),
  "/api/public/openapi.json": () => documentOf(PublicApi)
} as const
type DocumentPath = keyof typeof sources

export const documentPaths = Object.keys(sources) as ReadonlyArray<DocumentPath>

const documentOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): JsonObject => complete(JSON.parse(JSON.stringify(OpenApi.fromApi(api))) as JsonObject, refusalsOf(api))

const completed = new Map<string, JsonObject>()

/** The document without the parts of one installation (servers and contact). */
const documentAt = (path: DocumentPath): JsonObject => {
  const cached = completed.get(path)
  if (cached !== undefined) return cached
  const document = sources[path]()
  completed.set(path, document)
  return document
}

/** The servers come from `SITE_URL`, never from a request. */
export const documentFor = (path: DocumentPath, siteUrl: string): JsonObject => {
  const document = documentAt(path)
  return {
    ...document,
    info: {
      ...(document["info"] as { readonly [name: string]: Json }),
      contact: { name: "The operator of this installation", url: siteUrl }
    },
    servers: [{ url: siteUrl, description: "This installation." }]
  }
}

const texts = new Map<string, Uint8Array>()

/** The text of a document, cached for the process: serializing half a megabyte costs more than most requests. */
const textFor = (path: DocumentPath, siteUrl: string): Uint8Array => {
  const key = `${path} ${siteUrl}`
  const text = texts.get(key) ?? new TextEncoder().encode(JSON.stringify(documentFor(path, siteUrl)))
  texts.set(key, text)
  return text
}

const route = (path: DocumentPath) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.map(Installation, ({ siteUrl }) =>
      HttpServerResponse.uint8Array(textFor(path, siteUrl), { contentType: "application/json" })
    )
  )

export const documents = Layer.mergeAll(
  route("/api/agents/v1/openapi.json"),
  route("/api/workspace/openapi.json"),
  route("/api/public/openapi.json")
)
