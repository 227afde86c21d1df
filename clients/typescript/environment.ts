/** An agent's settings from the variables of its process: those of an operator, or of `simulate exam`. */
import * as http from "node:http"
import { type Clock, SystemClock } from "./clock.ts"
import { Countersign } from "./client.ts"
import { type Person, printingPerson } from "./person.ts"
import { FolderStore } from "./store.ts"
import { subscribe, type Subscription, WebhookInbox } from "./webhooks.ts"

/** What the agent's person wants; `COUNTERSIGN_TASK` is JSON. */
export interface Task {
  readonly agent: string
  readonly role: "BUYER" | "SUPPLIER"
  readonly project?: string
  readonly instruction?: string
  /** The digest of the agreement that the person has approved; any where absent. */
  readonly agreementDigest?: string
  readonly files?: ReadonlyArray<TaskFile>
  readonly job?: string
  readonly requestId?: string
  readonly webhookTarget?: string
  readonly subscription?: string
  readonly checkpoint?: string
}

export interface TaskFile {
  readonly criterionId: string
  readonly name: string
  readonly reference: string
  readonly size: number
  readonly sha256: string
}

export interface AgentEnvironment {
  readonly client: Countersign
  readonly task: Task
  readonly person: Person
  /** Where webhooks arrive on 127.0.0.1; undefined if none do. */
  readonly webhookPort: number | undefined
}

/**
 * Reads `COUNTERSIGN_URL`, `COUNTERSIGN_TASK`, `COUNTERSIGN_TOKEN` and `COUNTERSIGN_STATE` (a folder, `./state` where absent). Where
 * `simulate exam` sets `COUNTERSIGN_CLOCK` and `COUNTERSIGN_PERSON`, time and person are those of its world.
 */
export const readEnvironment = (variables: Readonly<Record<string, string | undefined>>): AgentEnvironment => {
  const required = (name: string): string => {
    const value = variables[name]
    if (value === undefined || value === "") throw new Error(`${name} is not set`)
    return value
  }
  const task = JSON.parse(required("COUNTERSIGN_TASK")) as Task
  const [clockUrl, personUrl, port] = ["CLOCK", "PERSON", "CALLBACK_PORT"].map(
    (name) => variables[`COUNTERSIGN_${name}`]
  )
  const clock = clockUrl === undefined ? new SystemClock() : new ExaminationClock(clockUrl)
  const person = personUrl === undefined ? printingPerson : examinationPerson(personUrl)
  const client = new Countersign({
    baseUrl: required("COUNTERSIGN_URL"),
    token: variables["COUNTERSIGN_TOKEN"],
    store: new FolderStore(variables["COUNTERSIGN_STATE"] ?? "state"),
    clock,
    person,
    // An answer that is lost in a simulated world never arrives.
    ...(clockUrl === undefined ? {} : { timeoutMs: 4000, headers: { "simulator-actor": task.agent } })
  })
  return { client, task, person, webhookPort: port === undefined ? undefined : Number(port) }
}

/**
 * Subscribes, and receives at the port of 127.0.0.1 that the environment names; in production a TLS proxy stands before it.
 * Each new event ends a wait for news. Where the subscription is refused, the person is told, and none arrive.
 */
export const receiveWebhooks = async (
  { client, person, webhookPort }: AgentEnvironment,
  subscription: Subscription
): Promise<void> => {
  if (webhookPort === undefined) throw new Error("COUNTERSIGN_CALLBACK_PORT is not set")
  const server = await listenForWebhooks(webhookPort, new WebhookInbox(client, ({ type }) => console.log(type)))
  const refused = await subscribe(client, subscription)
  if (refused === undefined) return
  server.close()
  await person.tell(`I cannot subscribe: ${refused.message}`, refused.body.humanUrl)
}

/** Passes the requests at this port of 127.0.0.1 to the inbox. It does not keep the process running. */
const listenForWebhooks = (port: number, inbox: WebhookInbox): Promise<http.Server> =>
  new Promise((resolve, reject) => {
    const server = http.createServer((request, response) => {
      const chunks: Array<Buffer> = []
      let size = 0
      request.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size <= bodyBytesMax) chunks.push(chunk)
      })
      request.on("end", () => {
        const status =
          size > bodyBytesMax ? Promise.resolve(413) : inbox.receive(request.headers, Buffer.concat(chunks))
        // Not stored, so not acknowledged: it is sent again.
        void status.catch(() => 503).then((code) => response.writeHead(code).end())
      })
    })
    server.once("error", reject).unref()
    server.listen(port, "127.0.0.1", () => resolve(server))
  })

const bodyBytesMax = 65_536

/** The time of a simulated world moves while its agents wait. */
class ExaminationClock implements Clock {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async now(): Promise<number> {
    return Date.parse((await exchange<{ now: string }>(this.#url)).now)
  }

  async wait(seconds: number): Promise<void> {
    await exchange(`${this.#url}/wait`, { for: `${seconds}s` })
  }

  async waitForNews(seconds: number): Promise<void> {
    await exchange(`${this.#url}/wait`, { for: `${seconds}s`, event: "webhook" })
  }

  notify(): void {}
}

const examinationPerson = (url: string): Person => ({
  tell: async (text, humanUrl) => {
    await exchange(`${url}/tell`, { text, ...(humanUrl === undefined ? {} : { humanUrl }) })
  },
  credential: async () => (await exchange<{ token?: string }>(`${url}/credential`)).token
})

const exchange = async <A>(url: string, body?: object): Promise<A> => {
  const response = await fetch(url, body === undefined ? {} : jsonPost(body))
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as A
}

const jsonPost = (body: object) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})
