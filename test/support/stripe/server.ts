/**
 * A server of Stripe's form on loopback, over the simulated provider's machine: form-encoded parameters, pinned version, keys
 * with permissions, connected accounts, idempotency keys, pages, expansion, error bodies, and faults on command.
 */
import { once } from "node:events"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { Clock, Effect, type Scope } from "effect"
import { SimulatedProvider } from "../../../simulator/payments/layer.ts"
import { accountNamed } from "../../../simulator/payments/provider.ts"
import { fromMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { faultUnder, type Fault } from "./faults.ts"
import { decodeForm } from "./form-encoding.ts"
import { IdempotencyKeys } from "./idempotency.ts"
import { invalidRequest, StripeRefusal } from "./refusal.ts"
import type { Call, Records, Route } from "./route.ts"
import { noAccess, routes } from "./routes.ts"

/** The version for which the objects are written. */
export const apiVersion = "2026-10-28.endive"
export const testKey = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  /** By lower-case name. */
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface StripeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface StripeServerOptions {
  readonly provider?: SimulatedProvider
  /** The clock of the fiber that starts the server, unless a test sets another. */
  readonly now?: () => Instant
  /** Restricted keys, with the permissions that each has. */
  readonly restrictedKeys?: Readonly<Record<string, ReadonlyArray<string>>>
}

export interface StripeServer {
  readonly origin: string
  readonly provider: SimulatedProvider
  readonly records: Records
  readonly now: () => Instant
  readonly received: ReadonlyArray<ReceivedRequest>
  /** The fault of each request from now on. Without one, a request meets what the provider's condition causes. */
  fault: (request: ReceivedRequest) => Fault | undefined
}

export const startStripeServer = (options: StripeServerOptions = {}): Effect.Effect<StripeServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const now = options.now ?? (() => fromMilliseconds(clock.currentTimeMillisUnsafe()))
    const server = http.createServer()
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const running = new RunningServer(origin, { ...options, now })
    server.on("request", (request, response) => void running.handle(request, response))
    return running
  })

class RunningServer implements StripeServer {
  readonly origin: string
  readonly provider: SimulatedProvider
  readonly records: Records = { accounts: new Map(), checkouts: new Map() }
  readonly now: () => Instant
  readonly received: Array<ReceivedRequest> = []
  fault: (request: ReceivedRequest) => Fault | undefined = () => undefined
  readonly #keys = new IdempotencyKeys()
  readonly #permissions: Readonly<Record<string, ReadonlyArray<string>>>

  constructor(
    origin: string,
    { provider, now, restrictedKeys }: StripeServerOptions & { readonly now: () => Instant }
  ) {
    this.origin = origin
    this.provider = provider ?? new SimulatedProvider()
    this.now = now
    this.#permissions = { ...restrictedKeys, [testKey]: ["*"] }
  }

  async handle(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    // Many tests are about clients that disconnect early.
    response.on("error", () => {})
    const url = new URL(incoming.url ?? "", this.origin)
    const request: ReceivedRequest = {
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.search.slice(1),
      headers: incoming.headers,
      body: (await buffer(incoming).catch(() => Buffer.of())).toString()
    }
    this.received.push(request)
    const requestId = `req_sim_${this.received.length}`
    const fault = this.fault(request) ?? faultUnder(this.provider.condition, request)
    if (fault?.kind === "RESET" && fault.when === "BEFORE") return void incoming.socket.resetAndDestroy()
    if (fault?.kind === "SEND") return fault.send(response)
    const answer = await this.#answer(request, requestId, fault, response)
    if (fault?.kind === "RESET") return void incoming.socket.resetAndDestroy()
    const body = fault?.kind === "CHANGE" && answer.status === 200 ? fault.change(answer.body) : answer.body
    const headers = { ...answer.headers, "content-type": "application/json", "request-id": requestId }
    response.writeHead(answer.status, { ...headers, "stripe-version": apiVersion }).end(JSON.stringify(body, null, 2))
  }

  async #answer(
    request: ReceivedRequest,
    requestId: string,
    fault: Fault | undefined,
    response: http.ServerResponse
  ): Promise<StripeAnswer> {
    try {
      if (fault?.kind === "ERROR") {
        return { ...refused(new StripeRefusal(fault.status, fault.error)), headers: fault.headers ?? {} }
      }
      const [call, effectuate] = this.#prepare(request, requestId)
      const inProgress = async (): Promise<StripeAnswer> => {
        if (fault?.kind === "DELAY") await delay(fault.milliseconds, response)
        return answered(() => effectuate({ ...call, at: this.now() }))
      }
      return request.method === "POST" ? await this.#once(request, requestId, inProgress) : await inProgress()
    } catch (error) {
      return refused(error)
    }
  }

  /** The call and its effect, after everything that a request can have wrong by itself. */
  #prepare(request: ReceivedRequest, requestId: string): readonly [Omit<Call, "at">, ReturnType<Route["prepare"]>] {
    const permissions = this.#permissionsOf(request.headers.authorization)
    const version = request.headers["stripe-version"]
    if (version !== apiVersion) throw invalidRequest(`Invalid Stripe API version: ${String(version)}`)
    const route = routes.find(({ method, path }) => method === request.method && path.test(request.path))
    if (route === undefined) {
      const where = `${request.method}: ${request.path}`
      throw new StripeRefusal(404, {
        type: "invalid_request_error",
        message: `Unrecognized request URL (${where}). Please see https://stripe.com/docs.`
      })
    }
    if (!permissions.includes("*") && !permissions.includes(route.permission)) throw noPermission(route.permission)
    const account = this.#accountOf(request)
    const effectuate = route.prepare(decodeForm(parametersOf(request)))
    const [, id = ""] = route.path.exec(request.path) ?? []
    const key = headerOf(request, "idempotency-key") ?? requestId
    return [{ provider: this.provider, records: this.records, origin: this.origin, id, account, key }, effectuate]
  }

  #permissionsOf(authorization: string | undefined): ReadonlyArray<string> {
    const [, key] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? []
    const message = key === undefined ? "You did not provide an API key." : `Invalid API Key provided: ${masked(key)}`
    const permissions = this.#permissions[key ?? ""]
    if (permissions !== undefined) return permissions
    throw new StripeRefusal(401, { type: "invalid_request_error", message })
  }

  /** The connected account; only its payouts and balance can be read here. */
  #accountOf(request: ReceivedRequest): string | null {
    const account = headerOf(request, "stripe-account")
    if (account === undefined) return null
    if (request.method === "GET" && accountNamed(this.provider.state, account) !== undefined) return account
    throw noAccess(account)
  }

  async #once(
    request: ReceivedRequest,
    requestId: string,
    inProgress: () => Promise<StripeAnswer>
  ): Promise<StripeAnswer> {
    const key = headerOf(request, "idempotency-key")
    if (key === undefined) return await inProgress()
    const saved = this.#keys.begin(key, `${request.path}?${request.body}`, requestId)
    if (saved !== undefined) return saved
    const answer = { ...(await inProgress()), headers: { "idempotency-key": key } }
    this.#keys.finish(key, answer)
    return answer
  }
}

const answered = (effectuate: () => unknown): StripeAnswer => {
  try {
    return { status: 200, headers: {}, body: effectuate() }
  } catch (error) {
    return refused(error)
  }
}

const refused = (error: unknown): StripeAnswer => {
  if (error instanceof StripeRefusal) return { status: error.status, headers: {}, body: { error: error.body } }
  const message = `the server of the test failed: ${String(error)}`
  return { status: 500, headers: { "stripe-should-retry": "false" }, body: { error: { type: "api_error", message } } }
}

const parametersOf = ({ method, query, headers, body }: ReceivedRequest): string => {
  if (method === "GET") return query
  if (query !== "") throw invalidRequest("Parameters of this request belong into its body.")
  if (headers["content-type"] === "application/x-www-form-urlencoded") return body
  throw invalidRequest("Invalid content type: the body must be form-encoded.")
}

const headerOf = ({ headers }: ReceivedRequest, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

const noPermission = (permission: string) =>
  new StripeRefusal(403, {
    type: "invalid_request_error",
    message:
      "The provided key does not have the required permissions for this endpoint. " +
      `Having the '${permission}' permission would allow this request to continue.`
  })

const masked = (key: string): string => `${key.slice(0, 8)}${"*".repeat(8)}${key.slice(-4)}`

/** Ends early once the client has disconnected. */
const delay = (milliseconds: number, response: http.ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    response.once("close", () => {
      clearTimeout(timer)
      resolve()
    })
  })
