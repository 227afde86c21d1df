/** An interrupted command must not exit with success, after which a script would continue. */
import { once } from "node:events"
import * as net from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnCommand } from "../support/server.ts"

/** Accepts connections and never answers. */
const silentServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => void sockets.add(socket.on("error", () => {}))).listen(0, "127.0.0.1")
    await once(server, "listening")
    return { server, sockets }
  }),
  ({ server, sockets }) =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
)

for (const [signal, code] of [
  ["SIGTERM", 143],
  ["SIGINT", 130]
] as const) {
  it.live(`A command other than serve and worker that ${signal} interrupts exits with ${code}.`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { server } = yield* silentServer
        const { port } = server.address() as net.AddressInfo
        const connected = once(server, "connection")
        const { child, ended } = spawnCommand({ DATABASE_URL: `postgres://u@127.0.0.1:${port}/db` }, "migrate")
        yield* Effect.addFinalizer(() => Effect.sync(() => void child.kill("SIGKILL")))
        yield* Effect.promise(() => connected)
        child.kill(signal)
        assert.strictEqual(yield* Effect.promise(() => ended), code)
      })
    )
  )
}
