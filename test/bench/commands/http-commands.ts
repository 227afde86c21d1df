/** Commands over a real socket: the submissions and reviews of two agents, in turns. */
import * as http from "node:http"
import { nextCommand, type Agents, type Arena, type Lane } from "../../processes/arena.ts"
import type { Turn } from "./clients.ts"

/** A project ready for its first submission, with its agents. */
export interface HttpLane extends Agents, Lane {}

/** A grant reaches 50 projects; more projects need more parties. */
const projectsPerArena = 50

/** The sizes of the arenas that together have so many projects. */
export const arenaSizes = (projects: number): ReadonlyArray<number> =>
  Array.from({ length: Math.ceil(projects / projectsPerArena) }, (_, arena) =>
    Math.min(projectsPerArena, projects - arena * projectsPerArena)
  )

/** Serializable, because another process sends the commands. */
export const lanesOf = ({ buyerAgent, supplierAgent, lanes }: Arena): ReadonlyArray<HttpLane> =>
  lanes.map(({ projectId, view }) => ({
    projectId,
    view,
    buyerAgent: { token: buyerAgent.token },
    supplierAgent: { token: supplierAgent.token }
  }))

/** Sends the next command of a lane over one of these kept-alive connections. */
export const sendCommands = (origin: string, connections: number) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const take = async (lane: HttpLane): Promise<Turn> => {
    const { token, operation, body } = nextCommand(lane, lane)
    const url = `${origin}/api/agents/v1/projects/${lane.projectId}/${operation}`
    const answer = await post(agent, url, token, body)
    if (answer.status === 200) {
      lane.view = JSON.parse(answer.text)
      return "done"
    }
    // A client that lost the race reads the new view, which is shared by all clients of this process.
    if (answer.status === 409) return "refused"
    throw new Error(`${operation} was answered ${answer.status}: ${answer.text}`)
  }
  return { take, close: () => agent.destroy() }
}

/** Sends a request and reads the text of its answer. */
export const post = (agent: http.Agent, url: string, token: string, body: unknown) =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
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
      response.on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }))
    })
    request.on("error", reject)
    request.end(sent)
  })
