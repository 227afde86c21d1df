/** What one client with 500 requests in flight costs another, and a person who pauses a project meanwhile. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { Service } from "../../src/service.ts"
import { makeArena, nextCommand, type Arena } from "../processes/arena.ts"
import { installationOn, operator } from "../support/installation.ts"
import { uuid } from "../support/parties.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { overSockets, startServer } from "../support/server.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"
import type { Answers, BusyRequest } from "./commands/busy-client.ts"
import { startChild } from "./commands/child-process.ts"
import { lanesOf } from "./commands/http-commands.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure, type Section } from "./figure.ts"
import { millisecondsOf, percentile } from "./measure.ts"

/** The requests in flight of the busy client, and the projects of both. */
interface Sizes {
  readonly inFlight: number
  readonly busyProjects: number
  readonly quietProjects: number
}

/** As many busy projects as a grant reaches; the quiet ones have room for the events of every round. */
const fullSizes: Sizes = { inFlight: 500, busyProjects: 50, quietProjects: 40 }

const pauseMilliseconds = 250

type Load = "alone" | "beside commands" | "beside reads"

interface Durations {
  readonly commands: Array<number>
  readonly pauses: Array<number>
}

/** Rounds in turns: commands of an agent and pauses of a person, alone and beside the busy client. */
export const measureFairness = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  extent: Extent,
  { inFlight, busyProjects, quietProjects } = fullSizes
) {
  const { environment } = yield* installationOn(database)
  const { origin } = yield* startServer(environment)
  const [busy, quiet, person] = yield* Effect.all([
    makeArena(busyProjects),
    makeArena(quietProjects),
    pausingPerson(origin)
  ]).pipe(Effect.provide(Service), Effect.provide(operator(environment)))
  const ask = yield* startChild<BusyRequest, Answers>("busy-client.ts")
  const measured: Record<Load, Durations> = {
    alone: { commands: [], pauses: [] },
    "beside commands": { commands: [], pauses: [] },
    "beside reads": { commands: [], pauses: [] }
  }
  const notes: Array<string> = []
  const lanes = lanesOf(busy)
  for (let round = 0; round < extent.rounds * 2; round++) {
    for (const load of ["alone", "beside commands", "beside reads"] as const) {
      if (load !== "alone") {
        const sends = load === "beside commands" ? "COMMANDS" : "READS"
        yield* ask({ kind: "BEGIN", origin, lanes, inFlight, sends })
        yield* Effect.sleep("1 second")
      }
      const durations = yield* act(quiet, person, extent).pipe(Effect.provide(overSockets(origin)))
      if (load !== "alone") notes.push(`${load}: ${JSON.stringify(yield* ask({ kind: "END" }))}`)
      // The first turns warm up.
      if (round < extent.rounds) continue
      measured[load].commands.push(...durations.commands)
      measured[load].pauses.push(...durations.pauses)
    }
  }
  const figures = (["beside commands", "beside reads"] as const).flatMap((load) => figuresOf(load, measured))
  return [
    { title: `One client with ${inFlight} requests in flight, and others`, figures, notes }
  ] satisfies ReadonlyArray<Section>
}, Effect.scoped)

const figuresOf = (
  load: Exclude<Load, "alone">,
  measured: Readonly<Record<Load, Durations>>
): ReadonlyArray<Figure> => {
  const beside = percentile(measured[load].commands, 0.99)
  const alone = percentile(measured.alone.commands, 0.99)
  const pause = percentile(measured[load].pauses, 0.99)
  return [
    {
      what: `p99 of another's command ${load}, against alone`,
      measured: `${readable(beside)} ms`,
      against: `${readable(alone)} ms`,
      ratio: beside / alone,
      aim: { atMost: 3 }
    },
    {
      what: `p99 of a pause ${load}`,
      measured: `${readable(pause)} ms`,
      against: `${pauseMilliseconds} ms`,
      ratio: pause / pauseMilliseconds,
      aim: { atMost: 1 }
    }
  ]
}

const pausingPerson = Effect.fnUntraced(function* (origin: string) {
  const { token, ...person } = yield* signInNewPerson("Pat")
  const projectId = yield* makeUnnamedProject({ token, ...person })
  return { projectId, headers: { cookie: cookieOf(token), origin } }
})

/** Commands of the quiet agents on their projects in turns, with a pause after the first of each ten. */
const act = Effect.fnUntraced(function* (
  quiet: Arena,
  { projectId, headers }: Effect.Success<ReturnType<typeof pausingPerson>>,
  { commits }: Extent
) {
  const durations: Durations = { commands: [], pauses: [] }
  for (let command = 0; command < commits / 2; command++) {
    const lane = quiet.lanes[command % quiet.lanes.length]!
    const { token, operation, body } = nextCommand(quiet, lane)
    const path = `/api/agents/v1/projects/${lane.projectId}/${operation}`
    durations.commands.push(
      yield* millisecondsOf(
        Effect.flatMap(send("POST", path, { token, body }), (answer) =>
          answer.status === 200
            ? Effect.sync(() => void (lane.view = answer.body))
            : Effect.die(new Error(`${operation} was answered ${answer.status}: ${answer.text}`))
        )
      )
    )
    if (command % 10 !== 0) continue
    const change = (verb: "pause" | "resume") =>
      Effect.map(
        send("POST", `/api/workspace/projects/${projectId}/${verb}`, {
          headers,
          body: { requestId: uuid(), reason: "To look at it." }
        }),
        ({ status }) => status
      )
    const pausing = Effect.flatMap(change("pause"), (status) =>
      status < 300 ? Effect.void : Effect.die(new Error(`a pause was answered ${status}`))
    )
    durations.pauses.push(yield* millisecondsOf(pausing))
    yield* Effect.repeat(change("resume"), { until: (status) => status < 300 })
  }
  return durations
})
