/** The service of a test over a socket. */
import type { AddressInfo } from "node:net"
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { HttpApp } from "../../src/service.ts"

/** Listens on a socket of this machine until the scope closes. */
export const serveOnSocket = Effect.gen(function* () {
  const app = yield* HttpApp
  const scope = yield* Effect.scope
  const handler = yield* NodeHttpServer.makeHandler(app, { scope }).pipe(Effect.provide(HttpServer.layerServices))
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer(handler).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => (made.closeAllConnections(), made.close()))
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
