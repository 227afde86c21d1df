/**
 * External programs behind the receivers of a world. A webhook is sent to the program over HTTP, with the headers and
 * bytes that the service signed; the status of its answer enters the world.
 */
import * as http from "node:http"
import type { ProgramRequest, ProgramResponse } from "../environment/webhook-receivers/network.ts"
import { isLoopbackName } from "./loopback.ts"

export class ExternalPrograms {
  readonly #addresses = new Map<string, URL>()
  readonly #timeout: number
  readonly #asking = new Set<http.ClientRequest>()
  /** True if each webhook is sent twice, as the same bytes; then the second answer counts. */
  isRepeating = false

  /** `timeout` is how many seconds an answer may take. */
  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** False if the address is not an http URL on this machine. */
  put(receiver: string, address: string): boolean {
    const url = URL.parse(address)
    if (url === null || url.protocol !== "http:" || !isLoopbackName(url.hostname)) return false
    this.#addresses.set(receiver, url)
    return true
  }

  addressOf(receiver: string): string | undefined {
    return this.#addresses.get(receiver)?.href
  }

  /** Without an address the connection is refused. */
  readonly ask = ({ receiver, request }: ProgramRequest, answer: (answers: ProgramResponse) => void): void => {
    const url = this.#addresses.get(receiver)
    if (url === undefined) return answer("RESET")
    const last = () => this.#send(url, request, answer)
    if (this.isRepeating) this.#send(url, request, last)
    else last()
  }

  #send(url: URL, request: ProgramRequest["request"], answer: (answers: ProgramResponse) => void): void {
    const body = Buffer.from(request.body, "utf8")
    const headers = { ...request.headers, "content-length": String(body.length) }
    const asking = http.request(url, { method: "POST", headers, agent: false }, (response) => {
      response.resume()
      answer(statusOf(response.statusCode))
    })
    const timeout = setTimeout(() => {
      answer("NOTHING")
      asking.destroy()
    }, this.#timeout * 1000)
    asking.on("error", () => answer("RESET"))
    asking.on("close", () => {
      clearTimeout(timeout)
      this.#asking.delete(asking)
    })
    this.#asking.add(asking)
    asking.end(body)
  }

  /** Cancels all pending requests. */
  cancelAll(): void {
    for (const asking of this.#asking) asking.destroy()
  }
}

const statusOf = (status = 0): ProgramResponse => (status >= 200 && status <= 599 ? status : "RESET")
