/** One client with many requests in flight, in a process of its own: commands of one agent, or reads of its projects. */
import * as http from "node:http"
import { answerRequests } from "./child-process.ts"
import { post, type HttpLane } from "./http-commands.ts"
import { submissionFor } from "../../support/parties.ts"

export type BusyRequest =
  | {
      readonly kind: "BEGIN"
      readonly origin: string
      readonly lanes: ReadonlyArray<HttpLane>
      readonly inFlight: number
      readonly sends: "COMMANDS" | "READS"
    }
  | { readonly kind: "END" }

/** How many answers came since it began, by their status. */
export type Answers = Readonly<Record<number, number>>

let stop: () => Promise<Answers> = () => Promise.resolve({})

const begin = ({ origin, lanes, inFlight, sends }: Extract<BusyRequest, { kind: "BEGIN" }>): Answers => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight })
  const answers: Record<number, number> = {}
  let hasEnded = false
  const sendOn = async (client: number): Promise<void> => {
    while (!hasEnded) {
      const lane = lanes[client % lanes.length]!
      const { status } = await (sends === "READS" ? readOf(agent, origin, lane) : commandOf(agent, origin, lane))
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  const clients = Promise.all(Array.from({ length: inFlight }, (_, client) => sendOn(client)))
  stop = async () => {
    hasEnded = true
    await clients
    agent.destroy()
    return answers
  }
  return answers
}

/** A submission that is stale once another was faster: each takes the locks of its project. */
const commandOf = async (agent: http.Agent, origin: string, { projectId, supplierAgent, view }: HttpLane) => {
  const url = `${origin}/api/agents/v1/projects/${projectId}/submit`
  return { status: (await post(agent, url, supplierAgent.token, submissionFor(view))).status ?? 0 }
}

const readOf = (agent: http.Agent, origin: string, { projectId, supplierAgent }: HttpLane) =>
  new Promise<{ readonly status: number }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${supplierAgent.token}` }
    const request = http.get(`${origin}/api/agents/v1/projects/${projectId}`, { agent, headers }, (response) => {
      response.resume().on("end", () => resolve({ status: response.statusCode ?? 0 }))
    })
    request.on("error", reject)
  })

answerRequests(async (request: BusyRequest) => (request.kind === "BEGIN" ? begin(request) : await stop()))
