/** Checks that the configured ports are free. */
import * as net from "node:net"
import { Effect, Option } from "effect"
import type { Settings } from "../configuration.ts"
import { listenError, type ListenError } from "../http-server.ts"
import { findingOf, skipped, type Finding } from "./finding.ts"

export const portFindings = ({ configuration, malformed }: Settings): Effect.Effect<ReadonlyArray<Finding>> => {
  const { host, port, metricsPort } = configuration
  const service = malformed.has("PORT")
    ? Effect.succeed(skipped("PORT: not of its form"))
    : portFinding("PORT", host, port)
  const metrics = Option.match(metricsPort, {
    onNone: () => Effect.succeed(skipped("METRICS_PORT: no metrics are served")),
    onSome: (port) => portFinding("METRICS_PORT", "127.0.0.1", port)
  })
  return Effect.all([service, metrics])
}

const portFinding = (variable: string, host: string, port: number) =>
  findingOf(listenOnce(variable, host, port), { variable, onSuccess: () => `free: ${host}:${port}` })

/** Listens, and closes at once. */
const listenOnce = (variable: string, host: string, port: number) =>
  Effect.callback<void, ListenError>((resume) => {
    const server = net.createServer()
    server.once("error", (cause) => resume(Effect.fail(listenError(variable, `${host}:${port}`, cause))))
    server.listen(port, host, () => void server.close(() => resume(Effect.void)))
  })
