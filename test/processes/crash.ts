/**
 * The server on its embedded default is killed while it writes, alone or with its Postgres. After the next start
 * everything acknowledged is there, and what was in flight has its effect once when it is sent again.
 */
import { Effect, Fiber } from "effect"
import { embeddedInstallation, killPostgres, operator } from "../support/installation.ts"
import { buyerActions, confirmAgreement, creation, makeAgent, makeParty } from "../support/parties.ts"
import { overSockets, startServer, type ServerProcess } from "../support/server.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { createWith } from "./arena.ts"

export type Victims = "the server" | "the server and Postgres"

interface Written {
  readonly token: string
  readonly body: object
  /** Undefined while nobody was told. */
  taskId: string | undefined
}

/** Tells what was lost or done twice. */
export const crash = Effect.fnUntraced(function* (victims: Victims, rounds: number) {
  const environment = yield* embeddedInstallation
  const wrong: Array<string> = []
  for (let round = 0; round < rounds; round++) {
    const written: Array<Written> = []
    const first = yield* startServer(environment)
    yield* writeUntilKilled(first, written, () => {
      first.child.kill("SIGKILL")
      if (victims === "the server and Postgres") killPostgres(environment.DATA_DIR)
    }).pipe(Effect.provide(operator(environment)), Effect.provide(overSockets(first.origin)))
    yield* Effect.promise(() => first.ended)
    const next = yield* startServer(environment)
    const told = yield* sendAgain(written).pipe(Effect.provide(overSockets(next.origin)))
    wrong.push(...told.map((text) => `round ${round + 1}: ${text}`))
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
  written: Array<Written>,
  kill: () => void
) {
  const [buyer, supplier] = yield* Effect.all([makeParty("Dana"), makeParty("Sam")])
  const digest = yield* confirmAgreement
  const today = yield* now
  const write = Effect.fnUntraced(function* (token: string) {
    while (server.child.exitCode === null && server.child.signalCode === null) {
      const one: Written = { token, body: creation(supplier, digest, today), taskId: undefined }
      written.push(one)
      const answer = yield* createWith(token, one.body)
      if (answer.status === 201) one.taskId = answer.body.project.taskId
    }
  })
  const writers = yield* Effect.forEach(Array.from({ length: clients }), () =>
    Effect.flatMap(makeAgent(buyer, "BUYER", buyerActions), ({ token }) => Effect.forkChild(write(token)))
  )
  while (written.filter(({ taskId }) => taskId !== undefined).length < acknowledgedBeforeKill) yield* Effect.sleep(1)
  kill()
  // A request that was cut off dies with its connection.
  yield* Effect.forEach(writers, Fiber.await)
})

const sendAgain = (written: ReadonlyArray<Written>) =>
  Effect.map(
    Effect.forEach(written, ({ token, body, taskId }) =>
      Effect.map(createWith(token, body), (answer) => {
        if (answer.status !== 201) return [`a request sent again was answered ${answer.status}`]
        if (taskId === undefined) return []
        const isThere = answer.body.replayed === true && answer.body.project.taskId === taskId
        return isThere ? [] : [`${taskId} was acknowledged and is lost`]
      })
    ),
    (told) => told.flat()
  )
