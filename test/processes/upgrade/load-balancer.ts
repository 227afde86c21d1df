/**
 * Sends each request to one of several servers; one that a server did not answer is repeated, unchanged, at another. So is
 * one that was answered 503, where that is expected.
 */
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApp } from "../../../src/service.ts"

export class LoadBalancer {
  readonly #origins: Array<string> = []
  readonly #expectsUnavailable: boolean
  #requests = 0
  /** Requests without an answer, which were repeated. */
  repeated = 0
  /** Answers with a status of 500 and more. */
  readonly failures: Array<string> = []

  constructor({ expectsUnavailable }: { readonly expectsUnavailable: boolean } = { expectsUnavailable: false }) {
    this.#expectsUnavailable = expectsUnavailable
  }

  add(origin: string): void {
    this.#origins.push(origin)
  }

  remove(origin: string): void {
    this.#origins.splice(this.#origins.indexOf(origin), 1)
  }

  get layer(): Layer.Layer<HttpApp> {
    const forward = (
      method: string,
      url: string,
      headers: Record<string, string>,
      body: Uint8Array<ArrayBuffer> | undefined
    ) =>
      Effect.promise((signal) =>
        this.#answer(url, { method, headers, signal, ...(body === undefined ? {} : { body }) })
      )
    return Layer.succeed(
      HttpApp,
      Effect.gen(function* () {
        const { method, url, headers, arrayBuffer } = yield* HttpServerRequest.HttpServerRequest
        const { "content-length": _, ...sent } = headers
        const body = method === "GET" ? undefined : new Uint8Array(yield* arrayBuffer)
        const { status, text, contentType } = yield* forward(method, url, sent, body)
        return HttpServerResponse.text(text, { status, contentType })
      })
    )
  }

  async #answer(url: string, request: RequestInit) {
    for (;;) {
      const origin = this.#origins[this.#requests++ % this.#origins.length]
      try {
        const response = await fetch(`${origin}${url}`, request)
        const text = await response.text()
        if (response.status === 503 && this.#expectsUnavailable) throw new Unavailable()
        if (response.status >= 500)
          this.failures.push(`${request.method} ${url} at ${origin}: ${response.status} ${text}`)
        return { status: response.status, text, contentType: response.headers.get("content-type") ?? "text/plain" }
      } catch (error) {
        if (request.signal?.aborted === true) throw error
        this.repeated += 1
        await new Promise((resolve) => setTimeout(resolve, error instanceof Unavailable ? 200 : 10))
      }
    }
  }
}

class Unavailable extends Error {}
