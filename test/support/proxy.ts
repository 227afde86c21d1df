/**
 * A proxy between the adapter and Postgres that cuts connections around COMMIT, and can drop all responses silently. It
 * parses only the client's COMMIT and the response to it.
 */
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"

export const cuts = [
  /** COMMIT is lost; the server sees the client's disconnection. */
  "before",
  /** COMMIT is lost, and the server sees the client's disconnection later. */
  "before, server late",
  /** Half of COMMIT arrives. */
  "half",
  /** COMMIT arrives, and the client disconnects before the response. */
  "during",
  /** COMMIT succeeds, and its response is lost. */
  "after"
] as const
export type Cut = (typeof cuts)[number]

export interface Proxy {
  readonly connection: ConnectionOptions
  /** How often each cut was made. */
  readonly cutCounts: Record<Cut, number>
  /** Chooses the cut of each COMMIT; receives the statements of its transaction. */
  chooseCut: (ends: "transaction" | "view") => Cut | undefined
  /** While true, all bytes from the server are dropped. A connection that lost a response stays open and silent. */
  dropsResponses: boolean
}

const begin = Buffer.from("begin isolation level ")
const beginView = Buffer.from("begin isolation level repeatable read")
const commit = Buffer.from("commit\0")
const committed = Buffer.from("COMMIT\0")
const lateMilliseconds = 40

/** On a unix socket, or on a TCP port of this machine. */
export const startProxy = (target: ConnectionOptions, port?: number): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "proxy-"))
    const socketPath = path.join(directory, ".s.PGSQL.5432")
    const made = { before: 0, "before, server late": 0, half: 0, during: 0, after: 0 }
    const { url, ...rest } = target
    const { path: _socket, ...credentials } = { ...fromUrl(url), ...rest }
    const connection =
      port === undefined ? { ...credentials, path: socketPath } : { ...credentials, host: "127.0.0.1", port }
    const proxy: Proxy = { connection, cutCounts: made, chooseCut: () => undefined, dropsResponses: false }
    const server = net.createServer((client) => {
      const upstream = net.connect(addressOf(target))
      for (const socket of [client, upstream]) socket.on("error", () => {})
      join(proxy, client, upstream)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(port ?? socketPath, () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          fs.rmSync(directory, { recursive: true })
        })
    )
    return proxy
  })

const join = (proxy: Proxy, client: net.Socket, upstream: net.Socket): void => {
  let cut: Cut | undefined
  let isSilent = false
  let open: "transaction" | "view" = "view"
  const openedBy = (begun: Buffer) => (begun.indexOf(beginView) === 0 ? "view" : "transaction")
  client.on("data", (chunk) => {
    const at = chunk.indexOf(commit)
    const begun = at < 0 ? -1 : chunk.lastIndexOf(begin, at)
    if (at >= 0) cut = proxy.chooseCut(begun < 0 ? open : openedBy(chunk.subarray(begun)))
    const last = chunk.lastIndexOf(begin)
    if (last >= 0) open = openedBy(chunk.subarray(last))
    if (at < 0 || cut === undefined) return void upstream.write(chunk)
    proxy.cutCounts[cut] += 1
    if (cut === "after") return void upstream.write(chunk)
    // In a Parse message, the statement's name and the message length precede the text.
    const head = chunk.subarray(0, at - 6)
    if (cut === "during") upstream.write(chunk, () => upstream.destroy())
    else if (cut === "half")
      upstream.write(chunk.subarray(0, at + 3), () => setTimeout(() => upstream.destroy(), lateMilliseconds))
    else if (cut === "before") upstream.write(head, () => upstream.destroy())
    else upstream.write(head, () => setTimeout(() => upstream.destroy(), lateMilliseconds))
    client.destroy()
  })
  upstream.on("data", (chunk) => {
    if (proxy.dropsResponses) isSilent = true
    if (isSilent) return
    if (cut !== "after" || !chunk.includes(committed)) return void client.write(chunk)
    client.destroy()
    upstream.destroy()
  })
  client.on("close", () => {
    if (cut === undefined) upstream.destroy()
  })
  upstream.on("close", () => {
    if (!isSilent && !proxy.dropsResponses) client.destroy()
  })
}

const addressOf = (target: ConnectionOptions): net.NetConnectOpts => {
  if (target.path !== undefined) return { path: target.path }
  const url = new URL(Redacted.value(target.url!))
  return { host: url.hostname, port: Number(url.port || 5432) }
}

const fromUrl = (given: ConnectionOptions["url"]): ConnectionOptions => {
  if (given === undefined) return {}
  const url = new URL(Redacted.value(given))
  return {
    username: decodeURIComponent(url.username),
    password: Redacted.make(decodeURIComponent(url.password)),
    database: url.pathname.slice(1)
  }
}
