/** A simulator server in this process, on a free port, and its HTTP clients. */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { serve, type RunningServer } from "../../simulator/serve/server.ts"
import { defaultWorldId, type WorldOptions, Worlds } from "../../simulator/serve/worlds.ts"

export interface ServerAnswer {
  readonly status: number
  readonly text: string
  readonly body: any
}

export class TestServer {
  readonly worlds: Worlds
  readonly #serving: RunningServer

  private constructor(worlds: Worlds, serving: RunningServer) {
    this.worlds = worlds
    this.#serving = serving
  }

  static async start(wanted: WorldOptions = {}, programTimeout = 5): Promise<TestServer> {
    const worlds = new Worlds(programTimeout)
    worlds.make(wanted, defaultWorldId)
    return new TestServer(worlds, await serve(worlds, 0))
  }

  get origin(): string {
    return this.#serving.origin
  }

  readonly stop = (): Promise<void> => this.#serving.close()

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: { readonly [name: string]: string } = {}
  ): Promise<ServerAnswer> {
    const answer = await fetch(`${this.origin}${path}`, {
      method,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      body: answer.headers.get("content-type")?.endsWith("json") ? JSON.parse(text) : undefined
    }
  }

  /** A request to the control API of one world. */
  control(method: string, path: string, body?: unknown, world = defaultWorldId): Promise<ServerAnswer> {
    return this.ask(method, `/sim/worlds/${world}${path}`, body)
  }

  step(form: object, world = defaultWorldId): Promise<ServerAnswer> {
    return this.control("POST", "/steps", form, world)
  }

  /** An agent that connects by the device flow; a person approves. */
  async connect(name: string, person: string, grant: object, world = defaultWorldId): Promise<string> {
    const headers = { "simulator-actor": name, "simulator-world": world }
    const asked = await this.ask(
      "POST",
      "/api/agents/v1/connections",
      { agentName: name, client: `${name}/1` },
      headers
    )
    await this.step({ as: person, do: "signIn" }, world)
    const entered = await this.step(
      { as: person, do: "enterUserCode", input: { userCode: asked.body.userCode } },
      world
    )
    const { connectionId } = entered.body.answer.body
    await this.step({ as: person, do: "approveConnection", on: connectionId, input: grant }, world)
    await this.control("POST", "/clock/advance", { by: "5s" }, world)
    const { deviceCode } = asked.body
    const polled = await this.ask("POST", "/api/agents/v1/connections/poll", { deviceCode }, headers)
    return polled.body.credential.token
  }
}

export const bearer = (token: string, world = defaultWorldId) => ({
  authorization: `Bearer ${token}`,
  "simulator-world": world
})

/** A program that receives webhooks: `answer` returns the status of each. */
export const startProgram = async (answer: (body: any, headers: http.IncomingHttpHeaders) => Promise<number>) => {
  const server = http.createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += String(chunk)
    response.statusCode = await answer(JSON.parse(text), request.headers)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/callbacks`, stop: () => server.close() }
}

/** An agreement that waits for its supplier's agent `courier`, created by steps in the server's world. */
export const createAgreementInWorld = async (server: TestServer, world = defaultWorldId) => {
  const granted = async (as: string, input: object) =>
    (await server.step({ as, do: "grantAgent", input }, world)).body.answer.body.token as string
  const buyer = { agent: "scout", role: "BUYER", actions: ["CREATE_PROJECT", "REVIEW_DELIVERY", "CONFIRM_COMPLETION"] }
  const scout = await granted("dana", buyer)
  for (const reads of ["legalConfig", "confirmationPreview"]) await server.step({ as: "scout", do: reads }, world)
  const made = await server.step({ as: "scout", do: "createProject", input: terms }, world)
  const project: string = made.body.answer.body.project.taskId
  const supplier = {
    agent: "courier",
    role: "SUPPLIER",
    actions: ["RESPOND_TERMS", "SUBMIT_MATERIALS"],
    projects: [project]
  }
  const courier = await granted("sam", supplier)
  await server.step({ as: "courier", do: "readProject", on: project }, world)
  return { scout, courier, project }
}

export const acceptTermsStep = { as: "courier", do: "respond", input: { action: "ACCEPT", reason: "As we offered." } }

const terms = {
  title: "Sea chart of the old harbor",
  scope: "One chart of the harbor in 1782.",
  buyerName: "Harbor Museum",
  supplierName: "Lumen Studio",
  supplierActorId: "${sam.id}",
  supplierReference: "Offer of 27 February",
  criteria: [{ id: "chart", title: "The chart", requirement: "A PDF of the whole harbor." }],
  deadline: "2026-03-20T17:00:00.000Z",
  reviewDeadline: "2026-03-27T17:00:00.000Z",
  baselineStatement: "No chart of the harbor before 1790 exists in the museum.",
  materialPolicy: "FILE_DIGESTS",
  termsPolicy: {
    purpose: "A record of what was delivered and accepted.",
    contractBasis: "THIS_AGREEMENT",
    sharing: "Both parties may show the record to anybody.",
    sharingRecipients: []
  },
  originals: { custodian: "Lumen Studio", location: "The archive", access: "Both parties can open every file." },
  subjectRequirements: []
}

/** `fetch` sets some headers itself, so this uses `http`. */
export const statusWith = (
  server: TestServer,
  headers: http.OutgoingHttpHeaders,
  path = "/sim/worlds"
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = http.request(`${server.origin}${path}`, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on("error", reject)
    asked.end()
  })
