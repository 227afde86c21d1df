/** Commands over a real socket: the submissions and reviews of an arena's agents, in turns. */
import * as http from "node:http"
import { Effect } from "effect"
import { makeArena, nextCommand, type Arena, type Lane } from "../processes/arena.ts"
import type { Turn } from "./clients.ts"

/** A project ready for its first submission, with its agents. */
export interface HttpLane {
  readonly arena: Arena
  readonly lane: Lane
}

/** A grant reaches 50 projects; more projects need more parties. */
const projectsPerArena = 50

export const prepareLanes = (projects: number) => {
  const sizes = Array.from({ length: Math.ceil(projects / projectsPerArena) }, (_, arena) =>
    Math.min(projectsPerArena, projects - arena * projectsPerArena)
  )
  return Effect.map(Effect.forEach(sizes, makeArena, { concurrency: 4 }), (arenas) =>
    arenas.flatMap((arena) => arena.lanes.map((lane): HttpLane => ({ arena, lane })))
  )
}

/** Sends the next command of a lane over one of these kept-alive connections. */
export const sendCommands = (origin: string, connections: number) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const take = async ({ arena, lane }: HttpLane): Promise<Turn> => {
    const { token, operation, body } = nextCommand(arena, lane)
    const url = `${origin}/api/agents/v1/projects/${lane.projectId}/${operation}`
    const answer = await post(agent, url, token, body)
    if (answer.status === 200) {
      lane.view = answer.body
      return "done"
    }
    // A client that lost the race reads the new view, which is shared by all clients of this process.
    if (answer.status === 409) return "refused"
    throw new Error(`${operation} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  return { take, close: () => agent.destroy() }
}

const post = (agent: http.Agent, url: string, token: string, body: unknown) =>
  new Promise<{ readonly status: number | undefined; readonly body: unknown }>((resolve, reject) => {
    const sent = Buffer.from(JSON.stringify(body))
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": sent.length
    }
    const request = http.request(url, { agent, method: "POST", headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode, body: text === "" ? undefined : JSON.parse(text) })
      })
    })
    request.on("error", reject)
    request.end(sent)
  })
