/** Serves the OpenAPI documents: generated from the operations once a process, and completed for this installation. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { Api } from "../api.ts"
import { Installation } from "../ports/installation.ts"
import { PublicApi } from "../public-api.ts"
import { WorkspaceApi } from "../workspace-api.ts"
import { complete } from "./complete.ts"
import type { Json, JsonObject } from "./json.ts"

/** Each document by the address under which it is served. */
const sources = {
  "/api/agents/v1/openapi.json": () => OpenApi.fromApi(Api),
  "/api/workspace/openapi.json": () => OpenApi.fromApi(WorkspaceApi),
  "/api/public/openapi.json": () => OpenApi.fromApi(PublicApi)
} as const
type DocumentPath = keyof typeof sources

export const documentPaths = Object.keys(sources) as ReadonlyArray<DocumentPath>

const completed = new Map<string, JsonObject>()

/** What is the same for every installation: everything but where it is and who runs it. */
const documentAt = (path: DocumentPath): JsonObject => {
  const known = completed.get(path)
  if (known !== undefined) return known
  const made = complete(JSON.parse(JSON.stringify(sources[path]())) as JsonObject)
  completed.set(path, made)
  return made
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

/** The text of a document, made once a process: to print half a megabyte takes longer than most requests do. */
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
