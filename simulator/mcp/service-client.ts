/** Sends the requests of an agent to the service, and gives every answer as it came. */
import { isObject, type Json } from "../vocabulary/json.ts"
import type { OperationRequest } from "./operation-request.ts"
import type { Person } from "./examination-tools.ts"
import { type ToolResult, unknownOutcome } from "./tool.ts"

export interface ServiceClientOptions {
  /** The address of the service. */
  readonly url: string
  /** The name of the agent, by which the simulator knows one without a token. */
  readonly agent: string | undefined
  /** Undefined for an agent that has to connect by a code. */
  readonly token: string | undefined
  readonly person: Person | undefined
  /** How long an answer may take, in milliseconds of real time. */
  readonly timeout: number
}

export class ServiceClient {
  readonly #options: ServiceClientOptions
  #token: string | undefined
  /** True after an answer that refused the token. */
  #isRefused = false

  constructor(options: ServiceClientOptions) {
    this.#options = options
    this.#token = options.token
  }

  /** Sends the request once. A refusal of the service is an error with its body; a lost answer is one without. */
  async send({ method, path, body }: OperationRequest): Promise<ToolResult> {
    const { url, agent, timeout } = this.#options
    const token = await this.#currentToken()
    try {
      const answer = await fetch(url + path, {
        method,
        headers: {
          "content-type": "application/json",
          ...(agent === undefined ? {} : { "simulator-actor": agent }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(timeout)
      })
      const content = jsonOrText(await answer.text())
      this.#isRefused = answer.status === 401
      this.#token = tokenIn(content) ?? this.#token
      return { text: JSON.stringify({ ...factsOf(answer), body: content }), isError: !answer.ok }
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError"
      const reason = isLate ? `No answer within ${timeout} ms` : "The connection ended without an answer"
      return unknownOutcome(`${reason}: the outcome is unknown.`)
    }
  }

  /** Without a token that the service takes, the agent uses the one that it was given last. */
  async #currentToken(): Promise<string | undefined> {
    if (this.#token === undefined || this.#isRefused) {
      this.#token = (await this.#options.person?.credential()) ?? this.#token
    }
    return this.#token
  }
}

/** The status, and the headers that the rules of the protocol are about. */
const factsOf = ({ status, headers }: Response): object => {
  const now = headers.get("simulator-now")
  const retryAfter = headers.get("retry-after")
  return { status, ...(now === null ? {} : { now }), ...(retryAfter === null ? {} : { retryAfter }) }
}

/** An edge in front of the service can answer with a page. */
const jsonOrText = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The token of a connection that a person has approved. */
const tokenIn = (body: Json): string | undefined => {
  const credential = isObject(body) ? body["credential"] : undefined
  const token = isObject(credential) ? credential["token"] : undefined
  return typeof token === "string" ? token : undefined
}
