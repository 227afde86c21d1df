/** The control API of the served worlds. */
import { renderTimeline } from "../timeline/page.ts"
import { advance } from "./clock.ts"
import { ControlRefused } from "./refusals.ts"
import { attachProgram } from "./programs-of-a-world.ts"
import { describe, type ServedWorld, summaryOf } from "./served-world.ts"
import { fork, rewind, takeSnapshot } from "./branches.ts"
import { doStep } from "./steps.ts"
import { timelineOf } from "./timeline.ts"
import { recordingOf } from "./recording.ts"
import { Advance, At, decode, From, MakeWorld, Named, Of, Program, scenarioIn } from "./forms.ts"
import type { Worlds } from "./worlds.ts"

export type Method = "GET" | "POST" | "PUT" | "DELETE"

/** The answer: a value as JSON, or a text of another media type. */
export type Answered =
  | { readonly status?: number; readonly json: unknown }
  | { readonly type: string; readonly text: string; readonly headers?: { readonly [name: string]: string } }

/** A request about one world, with the path parameters after its id. */
export interface Question {
  readonly world: ServedWorld
  readonly worlds: Worlds
  readonly parts: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** Decoded JSON; undefined without a body. */
  readonly body: unknown
}

type Handler = (question: Question) => Answered | Promise<Answered>

interface Route {
  readonly method: Method
  /** The path after `/sim/worlds/{id}`; a name in braces is a parameter. */
  readonly path: string
  readonly answer: Handler
}

const text = (type: string, text: string): Answered => ({ type: `${type}; charset=utf-8`, text })

const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "", answer: ({ world }) => ({ json: describe(world) }) },
  {
    method: "DELETE",
    path: "",
    answer: ({ world, worlds }) => {
      worlds.remove(world)
      return { json: { deleted: world.id } }
    }
  },
  { method: "POST", path: "/steps", answer: async ({ world, body }) => ({ json: await doStep(world, body) }) },
  {
    method: "POST",
    path: "/clock/advance",
    answer: async ({ world, body }) => ({ json: await advance(world, decode(Advance, body)) })
  },
  {
    method: "GET",
    path: "/trace",
    answer: ({ world, query }) => {
      const { from = 0 } = decode(From, query.has("from") ? { from: Number(query.get("from")) } : {})
      return text("application/x-ndjson", linesFrom(world.trace, from))
    }
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
    answer: async ({ world, body }) => ({ status: 201, json: await takeSnapshot(world, decode(Named, body).name) })
  },
  {
    method: "POST",
    path: "/fork",
    answer: async ({ world, worlds, body }) => {
      const forked = await fork(world, worlds, decode(At, body ?? {}).from)
      return { status: 201, json: summaryOf(forked) }
    }
  },
  {
    method: "POST",
    path: "/rewind",
    answer: async ({ world, body }) => {
      await rewind(world, decode(At, body).to)
      return { json: summaryOf(world) }
    }
  },
  {
    method: "PUT",
    path: "/receivers/{name}/program",
    answer: async ({ world, parts, body }) => ({
      json: await attachProgram(world, parts[0] ?? "", decode(Program, body).url)
    })
  },
  {
    method: "POST",
    path: "/hold",
    answer: ({ world, body }) => {
      const { of } = decode(Of, body)
      if (!world.live.session.knowsActor(of)) throw new ControlRefused("INVALID_REQUEST", `Unknown actor ${of}.`)
      world.live.hold(of)
      return { json: { held: of } }
    }
  },
  {
    method: "POST",
    path: "/release",
    answer: ({ world, body }) => {
      const { of } = decode(Of, body)
      return { json: { released: of, requests: world.live.release(of) } }
    }
  }
]

const matchers = routes.map((route) => ({
  ...route,
  form: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`)
}))

/** `rest` is the path after the id of the world. */
export const answerControl = async (
  method: string,
  rest: string,
  question: Omit<Question, "parts">
): Promise<Answered> => {
  const matching = matchers.flatMap((route) => {
    const match = route.form.exec(rest)
    return match === null ? [] : [{ route, parts: match.slice(1) }]
  })
  if (matching.length === 0) throw new ControlRefused("NOT_FOUND", `Unknown path ${rest} of a world.`)
  const found = matching.find(({ route }) => route.method === method)
  if (found === undefined) {
    const methods = matching.map(({ route }) => route.method).join(", ")
    throw new ControlRefused("METHOD_NOT_ALLOWED", `${rest === "" ? "A world" : rest} allows ${methods}.`)
  }
  return found.route.answer({ ...question, parts: found.parts.map(decodePart) })
}

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ControlRefused("NOT_FOUND", "The path has invalid percent-encoding.")
  }
}

/** Lists the worlds, or creates one. */
export const answerWorlds = (method: string, worlds: Worlds, body: unknown): Answered => {
  if (method === "GET") return { json: { worlds: worlds.all.map(summaryOf) } }
  if (method !== "POST") throw new ControlRefused("METHOD_NOT_ALLOWED", "/sim/worlds allows GET, POST.")
  const { scenario, ...options } = decode(MakeWorld, body ?? {})
  const world = worlds.make({ ...options, scenario: scenario === undefined ? undefined : scenarioIn(scenario) })
  return { status: 201, json: describe(world) }
}

const linesFrom = (trace: string, from: number): string => {
  let position = 0
  for (let line = 0; line < from && position < trace.length; line++) {
    const end = trace.indexOf("\n", position)
    position = end < 0 ? trace.length : end + 1
  }
  return trace.slice(position)
}
