/** The control API of the served worlds. */
import { renderTimeline } from "../reports/timeline/page.ts"
import { advance } from "./advance-time.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { attachProgram } from "./external-processes.ts"
import { describeWorld, type ServedWorld, summaryOf } from "./served-world.ts"
import { fork, rewind, takeSnapshot } from "./fork-and-rewind.ts"
import { runServedStep } from "./steps.ts"
import { momentOf } from "../view-model/session-summary.ts"
import { tellPerson } from "./tell-person.ts"
import { timelineOf } from "./timeline.ts"
import { recordingOf } from "./recording.ts"
import {
  AdvanceForm,
  PositionForm,
  decodeForm,
  LineQueryForm,
  TellForm,
  WaitForm,
  NewWorldForm,
  SnapshotForm,
  ActorForm,
  ProgramForm,
  scenarioIn
} from "./control-forms.ts"
import type { Worlds } from "./worlds.ts"

export type Method = "GET" | "POST" | "PUT" | "DELETE"

/** The answer: a value as JSON, or a text of another media type. */
export type ControlAnswer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly type: string; readonly text: string; readonly headers?: { readonly [name: string]: string } }

/** A request about one world, with the path parameters after its id. */
export interface ControlRequest {
  readonly world: ServedWorld
  readonly worlds: Worlds
  readonly parts: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** Decoded JSON; undefined without a body. */
  readonly body: unknown
}

type Handler = (question: ControlRequest) => ControlAnswer | Promise<ControlAnswer>

interface Route {
  readonly method: Method
  /** The path after `/sim/worlds/{id}`; a name in braces is a parameter. */
  readonly path: string
  readonly answer: Handler
}

const text = (type: string, text: string): ControlAnswer => ({ type: `${type}; charset=utf-8`, text })

const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "", answer: ({ world }) => ({ json: describeWorld(world) }) },
  {
    method: "DELETE",
    path: "",
    answer: ({ world, worlds }) => {
      worlds.remove(world)
      return { json: { deleted: world.id } }
    }
  },
  { method: "POST", path: "/steps", answer: async ({ world, body }) => ({ json: await runServedStep(world, body) }) },
  {
    method: "POST",
    path: "/clock/advance",
    answer: async ({ world, body }) => ({ json: await advance(world, decodeForm(AdvanceForm, body)) })
  },
  {
    method: "POST",
    path: "/agents/{name}/wait",
    answer: async ({ world, parts, body }) => ({
      json: await world.agents.wait(agentIn(world, parts), decodeForm(WaitForm, body))
    })
  },
  {
    method: "POST",
    path: "/agents/{name}/tell",
    answer: async ({ world, parts, body }) => ({
      json: await tellPerson(world, agentIn(world, parts), decodeForm(TellForm, body))
    })
  },
  {
    method: "GET",
    path: "/agents/{name}",
    answer: ({ world, parts }) => {
      const name = agentIn(world, parts)
      return { json: { name, now: momentOf(world.live.session.scheduler.now), acting: world.agents.acting } }
    }
  },
  {
    method: "GET",
    path: "/agents/{name}/credential",
    answer: ({ world, parts }) => {
      const { agents } = world.live.session.context.directory
      return { json: { token: agents.get(agentIn(world, parts))?.token ?? null } }
    }
  },
  {
    method: "PUT",
    path: "/agents/{name}",
    answer: ({ world, parts }) => {
      const name = agentIn(world, parts)
      world.agents.join(name)
      return { json: { joined: name } }
    }
  },
  {
    method: "DELETE",
    path: "/agents/{name}",
    answer: ({ world, parts }) => {
      const name = agentIn(world, parts)
      return { json: { left: name, tookPart: world.agents.leave(name) } }
    }
  },
  {
    method: "GET",
    path: "/trace",
    answer: ({ world, query }) => text("application/x-ndjson", linesFrom(world.trace, firstLineIn(query)))
  },
  {
    method: "GET",
    path: "/events",
    answer: ({ world, query }) => ({ json: { events: world.events.slice(firstLineIn(query)) } })
  },
  { method: "GET", path: "/story", answer: ({ world }) => text("text/plain", world.live.session.story) },
  {
    method: "GET",
    path: "/timeline",
    answer: ({ world }) => text("text/html", renderTimeline([timelineOf(world)]))
  },
  {
    method: "GET",
    path: "/scenario",
    answer: ({ world }) => text("application/yaml", recordingOf(world.live.session).text)
  },
  {
    method: "POST",
    path: "/snapshots",
    answer: async ({ world, body }) => ({
      status: 201,
      json: await takeSnapshot(world, decodeForm(SnapshotForm, body).name)
    })
  },
  {
    method: "POST",
    path: "/fork",
    answer: async ({ world, worlds, body }) => {
      const forked = await fork(world, worlds, decodeForm(PositionForm, body ?? {}).from)
      return { status: 201, json: summaryOf(forked) }
    }
  },
  {
    method: "POST",
    path: "/rewind",
    answer: async ({ world, body }) => {
      await rewind(world, decodeForm(PositionForm, body).to)
      return { json: summaryOf(world) }
    }
  },
  {
    method: "PUT",
    path: "/receivers/{name}/program",
    answer: async ({ world, parts, body }) => ({
      json: await attachProgram(world, parts[0] ?? "", decodeForm(ProgramForm, body).url)
    })
  },
  {
    method: "POST",
    path: "/hold",
    answer: ({ world, body }) => {
      const { of } = decodeForm(ActorForm, body)
      if (!world.live.session.knowsActor(of)) throw new ControlRefusal("INVALID_REQUEST", `Unknown actor ${of}.`)
      world.live.hold(of)
      return { json: { held: of } }
    }
  },
  {
    method: "POST",
    path: "/release",
    answer: ({ world, body }) => {
      const { of } = decodeForm(ActorForm, body)
      return { json: { released: of, requests: world.live.release(of) } }
    }
  }
]

/** An agent, or a visitor that can become one. */
const agentIn = ({ live: { session } }: ServedWorld, [name = ""]: ReadonlyArray<string>): string => {
  const { visitors = {} } = session.opening.given
  if (session.context.directory.agents.has(name) || Object.hasOwn(visitors, name)) return name
  throw new ControlRefusal("NOT_FOUND", `Unknown agent ${name}.`)
}

const matchers = routes.map((route) => ({
  ...route,
  form: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`)
}))

/** `rest` is the path after the id of the world. */
export const answerControl = async (
  method: string,
  rest: string,
  question: Omit<ControlRequest, "parts">
): Promise<ControlAnswer> => {
  const matching = matchers.flatMap((route) => {
    const match = route.form.exec(rest)
    return match === null ? [] : [{ route, parts: match.slice(1) }]
  })
  if (matching.length === 0) throw new ControlRefusal("NOT_FOUND", `Unknown path ${rest} of a world.`)
  const found = matching.find(({ route }) => route.method === method)
  if (found === undefined) {
    const methods = matching.map(({ route }) => route.method).join(", ")
    throw new ControlRefusal("METHOD_NOT_ALLOWED", `${rest === "" ? "A world" : rest} allows ${methods}.`)
  }
  return found.route.answer({ ...question, parts: found.parts.map(decodePart) })
}

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ControlRefusal("NOT_FOUND", "The path has invalid percent-encoding.")
  }
}

/** Lists the worlds, or creates one. */
export const answerWorlds = (method: string, worlds: Worlds, body: unknown): ControlAnswer => {
  if (method === "GET") return { json: { worlds: worlds.all.map(summaryOf) } }
  if (method !== "POST") throw new ControlRefusal("METHOD_NOT_ALLOWED", "/sim/worlds allows GET, POST.")
  const { scenario, ...options } = decodeForm(NewWorldForm, body ?? {})
  const world = worlds.make({ ...options, scenario: scenario === undefined ? undefined : scenarioIn(scenario) })
  return { status: 201, json: describeWorld(world) }
}

/** The number of lines before the first one that the query asks for. */
const firstLineIn = (query: URLSearchParams): number =>
  decodeForm(LineQueryForm, query.has("from") ? { from: Number(query.get("from")) } : {}).from ?? 0

const linesFrom = (trace: string, from: number): string => {
  let position = 0
  for (let line = 0; line < from && position < trace.length; line++) {
    const end = trace.indexOf("\n", position)
    position = end < 0 ? trace.length : end + 1
  }
  return trace.slice(position)
}
