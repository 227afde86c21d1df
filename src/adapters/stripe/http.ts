/** Requests of Stripe's package over undici: no redirect is followed, and an answer is bounded before it is read. */
import { Agent, request } from "undici"
import { limits } from "../../vocabulary/limits.ts"

export const stripeAgent = (): Agent =>
  new Agent({
    connections: limits.stripeConnections,
    connect: { timeout: limits.stripeCall },
    maxResponseSize: limits.stripeAnswerBytes
  })

/** What the package calls `fetch`, as it calls it. Undici's `request` decompresses nothing, so that the bound holds. */
export const boundedFetch =
  (dispatcher: Agent): typeof fetch =>
  async (url, { method = "GET", headers, body, signal } = {}) => {
    const answer = await request(String(url), {
      method: method === "POST" ? "POST" : "GET",
      headers: [...new Headers(headers)].flat(),
      body: typeof body === "string" ? body : null,
      signal: signal ?? null,
      dispatcher
    })
    const text = await answer.body.text()
    return new Response(isObject(text) ? text : "", {
      status: answer.statusCode,
      headers: answerHeaders(answer.headers)
    })
  }

/**
 * Stripe answers with JSON objects. The package reports an empty body as no JSON; a JSON text, number or word makes it reject a
 * promise that no code awaits, which ends the process.
 */
const isObject = (text: string): boolean => text.trimStart().startsWith("{")

/** Those that the package acts on. A notice of Stripe's would be printed as a warning of the process. */
const answerHeaders = (given: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>) =>
  ["request-id", "stripe-should-retry"].flatMap((name): ReadonlyArray<[string, string]> => {
    const value = given[name]
    return typeof value === "string" ? [[name, value]] : []
  })
