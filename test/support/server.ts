/** `countersign` as a process of its own, its output, and requests to it over a real socket. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as net from "node:net"
import * as path from "node:path"
import { Effect, Layer, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { listen } from "../../src/adapters/http-server.ts"
import { load } from "../../src/http/load.ts"
import { HttpApp, StatelessService } from "../../src/service.ts"
import { programOfTests } from "./built-program.ts"
import { operator, type Environment } from "./installation.ts"

const root = path.resolve(import.meta.dirname, "../..")
export const node = path.join(root, "node_modules/.bin/node")

export interface CommandProcess {
  readonly child: ChildProcess
  /** Its output so far, of both streams. */
  readonly output: () => string
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

/** Starts `countersign …` with only these variables. */
export const spawnCommand = (environment: Environment, ...command: ReadonlyArray<string>): CommandProcess =>
  spawnReading("", environment, ...command)

/** The same, with this on its standard input. */
export const spawnReading = (
  input: string,
  environment: Environment,
  ...command: ReadonlyArray<string>
): CommandProcess => spawnProgram(programOfTests(), input, environment, command)

/** The same by the script that npm links, on the sources. */
export const spawnLauncher = (environment: Environment, ...command: ReadonlyArray<string>): CommandProcess =>
  spawnFile(path.join(root, "bin/countersign"), "", environment, command)

export const spawnProgram = (
  program: string,
  input: string,
  environment: Environment,
  command: ReadonlyArray<string>
) => spawnFile(node, input, environment, [program, ...command])

const spawnFile = (
  file: string,
  input: string,
  environment: Environment,
  parameters: ReadonlyArray<string>
): CommandProcess => {
  const child = spawn(file, parameters, {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment },
    stdio: ["pipe", "pipe", "pipe"]
  })
  child.stdin.on("error", () => {}).end(input)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk))
  const ended = once(child, "close").then(([code]) => code as number | null)
  return { child, output: () => output, ended }
}

export interface ServerProcess extends CommandProcess {
  readonly origin: string
}

/** `countersign serve` on a free port, once it is ready. It is killed with the scope. */
export const startServer = (
  environment: Environment,
  program = programOfTests()
): Effect.Effect<ServerProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = environment["PORT"] ?? String(yield* freePort)
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => spawnProgram(program, "", { ...environment, PORT: port }, ["serve"])),
      ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
    )
    const origin = `http://127.0.0.1:${port}`
    yield* Effect.promise(() => untilReady(server, origin))
    return { ...server, origin }
  })

const untilReady = async ({ child, output }: CommandProcess, origin: string): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`serve exited before it was ready: ${output()}`)
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** The service listening in this process, with its ports and its load available; both share one lock queue. */
export const serveInProcess = (environment: Environment, portOf = freePort) =>
  Layer.unwrap(
    Effect.map(portOf, (port) =>
      Layer.effectDiscard(listen).pipe(
        Layer.provide(StatelessService),
        Layer.provideMerge(load),
        Layer.provideMerge(operator({ ...environment, PORT: String(port) })),
        Layer.merge(overSockets(`http://127.0.0.1:${port}`))
      )
    )
  )

/** A server in a process of its own, with an operator's ports in this process. */
export const serveWithOperator = (environment: Environment) =>
  Layer.unwrap(
    Effect.map(startServer(environment), ({ origin }) => Layer.merge(overSockets(origin), operator(environment)))
  )

/** A port that was free a moment ago. */
export const freePort: Effect.Effect<number> = Effect.promise(async () => {
  const server = net.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, "close")
  return port
})

/** Sends requests over sockets: `send` uses these origins in turn. */
export const overSockets = (...origins: ReadonlyArray<string>): Layer.Layer<HttpApp> => {
  let requests = 0
  return Layer.succeed(
    HttpApp,
    Effect.gen(function* () {
      const { method, url, headers, arrayBuffer } = yield* HttpServerRequest.HttpServerRequest
      const body = method === "GET" ? undefined : new Uint8Array(yield* arrayBuffer)
      const target = origins[requests++ % origins.length] + url
      const { "content-length": _, ...sent } = headers
      const answered = yield* Effect.promise(async (signal) => {
        const response = await fetch(target, { method, headers: sent, signal, ...(body === undefined ? {} : { body }) })
        return { status: response.status, text: await response.text(), headers: response.headers }
      })
      return HttpServerResponse.text(answered.text, {
        status: answered.status,
        contentType: answered.headers.get("content-type") ?? "text/plain"
      })
    })
  )
}
