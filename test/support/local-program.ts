/** A program of a developer on this machine that receives webhooks: it logs requests, and answers as a test says. */
import { once } from "node:events"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface LocalProgram {
  readonly origin: string
  readonly requests: ReadonlyArray<ReceivedRequest>
}

/** A status, or a status with headers and a body; undefined if no answer is sent. */
export type LocalAnswer =
  | number
  | undefined
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** Listens on this port, by default a free one, until the scope ends. `answer` gets the request and how many came before. */
export const startLocalProgram = (
  answer: (request: ReceivedRequest, before: number) => LocalAnswer,
  port = 0
): Effect.Effect<LocalProgram, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<ReceivedRequest> = []
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const listening = http.createServer((request, response) => {
          let body = ""
          request.on("data", (chunk: Buffer) => (body += chunk))
          request.on("end", () => {
            const { method = "", url = "", headers } = request
            const received = { method, url, headers, body }
            const answered = answer(received, requests.length)
            requests.push(received)
            if (answered === undefined) return
            const whole = typeof answered === "number" ? { status: answered } : answered
            response.writeHead(whole.status, whole.headers).end(whole.body)
          })
        })
        listening.listen(port, "127.0.0.1")
        await once(listening, "listening")
        return listening
      }),
      (listening) => Effect.sync(() => (listening.closeAllConnections(), listening.close()))
    )
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
  })
