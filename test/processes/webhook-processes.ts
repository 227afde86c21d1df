/** Webhook workers as processes, and a receiver on loopback that logs its requests. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Effect, type Scope } from "effect"
import { webhookWorkerOfTests } from "../support/built-program.ts"
import { certificateOf, startReceiver, type ReceivedConnection, type Receiver } from "../support/webhook-receiver.ts"
import type { Environment } from "../support/installation.ts"
import { freePort, node, type CommandProcess, type ServerProcess } from "../support/server.ts"

/** Starts a worker that sends to this port at this loopback address, by which the receiver identifies it. */
export const startWorker = (environment: Environment, port: number, address: string) =>
  start(environment, "worker", String(port), address, certificateOf("authority"))

/** A server without workers. */
export const startServerWithoutWorkers = (environment: Environment): Effect.Effect<ServerProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = String(yield* freePort)
    const server = yield* start({ ...environment, PORT: port }, "serve")
    return { ...server, origin: `http://127.0.0.1:${port}` }
  })

/** Starts a process and waits until it is ready; kills it at the end of the scope if it still runs. */
const start = (
  environment: Environment,
  ...command: ReadonlyArray<string>
): Effect.Effect<CommandProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawnProgram(environment, command)),
    ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
  ).pipe(Effect.tap((process) => until(`${command[0]} to be ready`, () => isReady(process))))

const spawnProgram = (environment: Environment, command: ReadonlyArray<string>): CommandProcess => {
  const child = spawn(node, [webhookWorkerOfTests(), ...command], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk))
  const ended = once(child, "close").then(([code]) => code as number | null)
  return { child, output: () => output, ended }
}

const isReady = ({ child, output }: CommandProcess): boolean => {
  if (child.exitCode !== null) throw new Error(`it ended at its start: ${output()}`)
  return /^ready$/m.test(output())
}

/** Waits for a condition, with a timeout far above the expected duration. */
export const until = Effect.fnUntraced(function* (description: string, condition: () => boolean, withinMs = 120_000) {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited >= withinMs) throw new Error(`waited in vain for ${description}`)
    yield* Effect.sleep(20)
  }
})

/** One received request, on the clock of this process. */
export interface LoggedRequest {
  readonly at: number
  /** Identifies the worker that sent it. */
  readonly address: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly arrival: ReceivedConnection
}

export interface LoggingReceiver extends Pick<Receiver, "port"> {
  readonly log: ReadonlyArray<LoggedRequest>
}

/** Logs every request and passes it to `behave`. */
export const startLoggingReceiver = Effect.fnUntraced(function* (
  behave: (logged: LoggedRequest, log: ReadonlyArray<LoggedRequest>) => void
): Effect.fn.Return<LoggingReceiver, never, Scope.Scope> {
  const log: Array<LoggedRequest> = []
  const receiver: Receiver = yield* startReceiver((arrival, number) => {
    const { head, body } = receiver.requests[number - 1]!
    const [, path = ""] = head.split(" ")
    const logged = { at: performance.now(), address: arrival.address, path, headers: headersOf(head), body, arrival }
    log.push(logged)
    behave(logged, log)
  })
  return { port: receiver.port, log }
})

const headersOf = (head: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )

/** Responds with a status only. */
export const respond = ({ arrival }: Pick<LoggedRequest, "arrival">, status: number): void =>
  void arrival.socket.write(`HTTP/1.1 ${status} Said\r\ncontent-length: 0\r\n\r\n`)
