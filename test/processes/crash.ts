/**
 * Kills the server on its embedded database while clients write, alone or with its Postgres. After the next start every
 * acknowledged project exists, and a request in flight has one effect when it is repeated.
 */
import { Effect, Fiber } from "effect"
import { embeddedInstallation, killPostgres, operator } from "../support/installation.ts"
import { buyerActions, confirmAgreement, creationInput, makeAgent, makeParty } from "../support/parties.ts"
import { overSockets, startServer, type ServerProcess } from "../support/server.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { createWith } from "./arena.ts"

export type KilledProcesses = "the server" | "the server and Postgres"

interface SentRequest {
  readonly token: string
  readonly body: object
  /** Undefined without an acknowledgement. */
  taskId: string | undefined
}

/** Returns the lost and duplicate effects. */
export const crashAndRestart = Effect.fnUntraced(function* (victims: KilledProcesses, rounds: number) {
  const environment = yield* embeddedInstallation
  const wrong: Array<string> = []
  for (let round = 0; round < rounds; round++) {
    const requests: Array<SentRequest> = []
    const first = yield* startServer(environment)
    yield* writeUntilKilled(first, requests, () => {
      first.child.kill("SIGKILL")
      if (victims === "the server and Postgres") killPostgres(environment.DATA_DIR)
    }).pipe(Effect.provide(operator(environment)), Effect.provide(overSockets(first.origin)))
    yield* Effect.promise(() => first.ended)
    const next = yield* startServer(environment)
    const problems = yield* repeatRequests(requests).pipe(Effect.provide(overSockets(next.origin)))
    wrong.push(...problems.map((text) => `round ${round + 1}: ${text}`))
    next.child.kill("SIGTERM")
    yield* Effect.promise(() => next.ended)
  }
  return wrong
})

const clients = 4
// Enough for the kill to fall between them, and within the scope of one grant.
const acknowledgedBeforeKill = 25

const writeUntilKilled = Effect.fnUntraced(function* (
  server: ServerProcess,
  requests: Array<SentRequest>,
  kill: () => void
) {
  const [buyer, supplier] = yield* Effect.all([makeParty("Dana"), makeParty("Sam")])
  const digest = yield* confirmAgreement
  const today = yield* now
  const write = Effect.fnUntraced(function* (token: string) {
    while (server.child.exitCode === null && server.child.signalCode === null) {
      const request: SentRequest = { token, body: creationInput(supplier, digest, today), taskId: undefined }
      requests.push(request)
      const answer = yield* createWith(token, request.body)
      if (answer.status === 201) request.taskId = answer.body.project.taskId
    }
  })
  const writers = yield* Effect.forEach(Array.from({ length: clients }), () =>
    Effect.flatMap(makeAgent(buyer, "BUYER", buyerActions), ({ token }) => Effect.forkChild(write(token)))
  )
  while (requests.filter(({ taskId }) => taskId !== undefined).length < acknowledgedBeforeKill) yield* Effect.sleep(1)
  kill()
  // A request whose connection was cut fails.
  yield* Effect.forEach(writers, Fiber.await)
})

const repeatRequests = (requests: ReadonlyArray<SentRequest>) =>
  Effect.map(
    Effect.forEach(requests, ({ token, body, taskId }) =>
      Effect.map(createWith(token, body), (answer) => {
        if (answer.status !== 201) return [`a request sent again was answered ${answer.status}`]
        if (taskId === undefined) return []
        const isReplayed = answer.body.replayed === true && answer.body.project.taskId === taskId
        return isReplayed ? [] : [`${taskId} was acknowledged and is lost`]
      })
    ),
    (problems) => problems.flat()
  )
