/** Workers of callbacks as processes, a receiver on loopback that logs what comes, and a project that tells it of events. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { startReceiver, type Arrival, type Receiver } from "../support/callback-receiver.ts"
import type { Environment } from "../support/installation.ts"
import { freePort, node, type CommandProcess, type ServerProcess } from "../support/server.ts"

const program = path.join(import.meta.dirname, "callback-worker.ts")

/** `worker` sends to this port at this address of loopback, by which the receiver knows who sent. */
export const startWorker = (environment: Environment, port: number, address: string) =>
  start(environment, "worker", String(port), address)

/** A server that sends nothing itself. */
export const startSilentServer = (environment: Environment): Effect.Effect<ServerProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = String(yield* freePort)
    const server = yield* start({ ...environment, PORT: port }, "serve")
    return { ...server, origin: `http://127.0.0.1:${port}` }
  })

/** Once it is ready. It is killed with the scope where it still runs then. */
const start = (
  environment: Environment,
  ...given: ReadonlyArray<string>
): Effect.Effect<CommandProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawnProgram(environment, given)),
    ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
  ).pipe(Effect.tap((process) => until(`${given[0]} to be ready`, () => isReady(process))))

const spawnProgram = (environment: Environment, given: ReadonlyArray<string>): CommandProcess => {
  const child = spawn(node, [program, ...given], {
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

/** Waits for what has to happen; far longer than it takes. */
export const until = Effect.fnUntraced(function* (what: string, isSo: () => boolean, withinMs = 30_000) {
  for (let waited = 0; !isSo(); waited += 20) {
    if (waited >= withinMs) throw new Error(`waited in vain for ${what}`)
    yield* Effect.sleep(20)
  }
})

/** One request as it came, on the clock of this process. */
export interface Logged {
  readonly at: number
  /** Which worker sent it. */
  readonly address: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly arrival: Arrival
}

export interface LoggingReceiver extends Pick<Receiver, "port"> {
  readonly log: ReadonlyArray<Logged>
}

/** Logs every request and does with it what the test says. */
export const startLoggingReceiver = Effect.fnUntraced(function* (
  behave: (logged: Logged, log: ReadonlyArray<Logged>) => void
): Effect.fn.Return<LoggingReceiver, never, Scope.Scope> {
  const log: Array<Logged> = []
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

/** Answers with a status and nothing else. */
export const answer = ({ arrival }: Pick<Logged, "arrival">, status: number): void =>
  void arrival.socket.write(`HTTP/1.1 ${status} Said\r\ncontent-length: 0\r\n\r\n`)
