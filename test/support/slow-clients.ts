/** Clients that never complete their requests: they send one byte at a time, as long as the server accepts them. */
import * as net from "node:net"

export interface SlowRequest {
  /** Sent immediately. */
  readonly head: string
  /** Sent repeatedly, with a pause in between. */
  readonly piece: string
}

const post = (path: string, headers: ReadonlyArray<string>): string =>
  [`POST ${path} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")

const whole = (head: string): SlowRequest => ({ head: `${head}\r\nContent-Length: 4000\r\n\r\n`, piece: " " })

const json = "Content-Type: application/json"

/** Each kind of incomplete request, as its client begins it; `more` are further headers. */
export const slowRequests = (token: string, origin: string, more: ReadonlyArray<string> = []) => ({
  "JSON without a credential": whole(post("/api/agents/v1/connections", [json, ...more])),
  "JSON with a credential": whole(post("/api/agents/v1/projects", [json, `Authorization: Bearer ${token}`, ...more])),
  "a form without a session": whole(
    post("/workspace/join", ["Content-Type: application/x-www-form-urlencoded", `Origin: ${origin}`, ...more])
  ),
  "chunks without a length": {
    head: `${post("/api/agents/v1/connections", [json, ...more])}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    piece: "1\r\n \r\n"
  },
  headers: { head: `${post("/api/agents/v1/connections", [json, ...more])}\r\nX-Slow: `, piece: "a" }
})

export type SlowKind = keyof ReturnType<typeof slowRequests>

export class SlowClients {
  /** Responses received before the request was complete. */
  readonly answers: Array<string> = []
  readonly #sockets = new Set<net.Socket>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #isStopped = false

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size
  }

  /** Opens connections; each closed one is opened again after `again` milliseconds, if given. */
  begin(
    port: number,
    count: number,
    request: SlowRequest,
    { pause = 2_000, again }: { pause?: number; again?: number } = {}
  ) {
    for (let index = 0; index < count; index++) this.#open(port, request, pause, again)
  }

  /** Ends all connections in the middle of their requests. */
  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const socket of this.#sockets) socket.destroy()
  }

  #open(port: number, request: SlowRequest, pause: number, again: number | undefined): void {
    const socket = net.connect(port, "127.0.0.1")
    const sending = setInterval(() => void socket.write(request.piece), pause)
    let answer = ""
    this.#timers.add(sending)
    this.#sockets.add(socket)
    socket.on("connect", () => void socket.write(request.head + request.piece))
    socket.on("data", (bytes) => void (answer += String(bytes)))
    socket.on("error", () => {})
    socket.on("close", () => {
      clearInterval(sending)
      this.#timers.delete(sending)
      this.#sockets.delete(socket)
      if (answer !== "") this.answers.push(answer)
      if (again === undefined || this.#isStopped) return
      this.#timers.add(setTimeout(() => this.#open(port, request, pause, again), again))
    })
  }
}
