/** Sends the bytes of one request until the service answers them. */
import { createHash } from "node:crypto"
import type { Clock } from "./clock.ts"
import { OutcomeUnknown, Refused, type RefusalBody } from "./outcome.ts"
import type { Person } from "./person.ts"
import type { Store } from "./store.ts"

export interface RequestOptions {
  /** The address of the service, to which `/api/agents/v1/…` is added; https, except on this machine. */
  readonly baseUrl: string
  /** Undefined before the agent has connected. */
  readonly token: string | undefined
  readonly store: Store
  readonly clock: Clock
  readonly person: Person
  /** Milliseconds of real time to wait for an answer. */
  readonly timeoutMs?: number
  /** Sends of the same bytes until their outcome counts as unknown. */
  readonly sendsMax?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch
}

const secondsBetweenSendsMax = 60

interface Answer {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly body: Record<string, unknown>
}

export class Requests {
  readonly #options: RequestOptions
  #token: string | undefined

  constructor(options: RequestOptions) {
    const { protocol, hostname } = new URL(options.baseUrl)
    const isLocal = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
    if (protocol !== "https:" && !(protocol === "http:" && isLocal)) {
      throw new Error(`${options.baseUrl}: a token is sent over https only, or to this machine`)
    }
    this.#options = options
    this.#token = options.token
  }

  get hasToken(): boolean {
    return this.#token !== undefined
  }

  /** Takes the token that was saved with a connection or a renewal; it is newer than that of the options. */
  async loadToken(): Promise<void> {
    this.#token = (await this.#options.store.read("token")) ?? this.#token
  }

  async saveToken(token: string): Promise<void> {
    await this.#options.store.write("token", token)
    this.#token = token
  }

  /**
   * Sends exactly these bytes until there is an answer that can be read, with growing pauses; after 503
   * `TEMPORARILY_UNAVAILABLE` not before `Retry-After`, and after 401 once more if a person has given another credential.
   *
   * @throws Refused the service refused it
   * @throws OutcomeUnknown no send was answered
   */
  async exchange<A>(method: "GET" | "POST", path: string, bytes?: string): Promise<A> {
    const { clock, sendsMax = 8 } = this.#options
    await this.#requireLiveToken()
    let unanswered = 0
    for (let sends = 1; sends <= sendsMax; sends++) {
      const answer = await this.#sendOnce(method, path, bytes)
      if (answer === undefined) {
        unanswered++
        if (sends < sendsMax) await clock.wait(Math.min(2 ** sends, secondsBetweenSendsMax))
      } else if (answer.status < 400) {
        return answer.body as A
      } else if (answer.body["nextAction"] === "RETRY_SAVED_REQUEST") {
        if (sends < sendsMax) await clock.wait(answer.retryAfter ?? secondsBetweenSendsMax)
      } else if (answer.status !== 401 || !(await this.#takesRenewedToken())) {
        throw new Refused(answer.status, answer.body as unknown as RefusalBody, unanswered)
      }
    }
    throw new OutcomeUnknown(path, sendsMax)
  }

  /** Undefined where no answer arrived, and where it is not that of the service, such as a page of a proxy. */
  async #sendOnce(method: string, path: string, bytes: string | undefined): Promise<Answer | undefined> {
    const { fetch: send = fetch, baseUrl, headers = {}, timeoutMs = 30_000 } = this.#options
    try {
      const response = await send(baseUrl.replace(/\/$/, "") + path, {
        method,
        headers: {
          ...headers,
          ...(bytes === undefined ? {} : { "content-type": "application/json" }),
          ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` })
        },
        ...(bytes === undefined ? {} : { body: bytes }),
        // A redirection could send the token to another host.
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs)
      })
      const body: unknown = await response.json()
      if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
      if (!response.ok && typeof (body as { error?: unknown }).error !== "string") return undefined
      const retryAfter = /^\d{1,6}$/.exec(response.headers.get("retry-after") ?? "")?.[0]
      return {
        status: response.status,
        retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
        body: body as Record<string, unknown>
      }
    } catch {
      return undefined
    }
  }

  /** A credential that was refused is not sent again, also after a restart. */
  async #requireLiveToken(): Promise<void> {
    const refused = await this.#options.store.read("refused-token")
    if (refused === undefined || this.#token === undefined || refused !== digestOf(this.#token)) return
    if (!(await this.#takesRenewedToken())) {
      const detail = "This credential was refused before; a person has to authorize the agent again."
      const nextAction = "ASK_OWNER_TO_REAUTHORIZE"
      throw new Refused(401, { error: "AUTH_INVALID", detail, retryable: false, nextAction })
    }
  }

  /** A renewal ends the token before it; request ids, jobs and subscriptions stay with the grant. */
  async #takesRenewedToken(): Promise<boolean> {
    const refused = this.#token
    if (refused === undefined) return false
    await this.#options.store.write("refused-token", digestOf(refused))
    const token = await this.#options.person.credential()
    if (token === undefined || token === refused) return false
    await this.saveToken(token)
    return true
  }
}

const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex")
