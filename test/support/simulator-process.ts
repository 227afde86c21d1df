/** `simulate serve` as a process of its own, and its worlds, controlled over the control API. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { node } from "./server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const main = path.join(root, "simulator/main.ts")

/** Returns its origin. It is ended with the scope. */
export const serveSimulator = (...options: ReadonlyArray<string>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(node, [main, "serve", "--port", "0", ...options], { cwd: root })
      let output = ""
      const listening = new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.on("data", (chunk: Buffer) => {
            output += chunk
            const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
            if (origin !== undefined) resolve(origin)
          })
        }
        child.on("close", () => reject(new Error(`simulate serve ended: ${output}`)))
      })
      return { child, origin: await listening }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        if (child.exitCode !== null) return
        child.kill("SIGTERM")
        await once(child, "close")
      })
  ).pipe(Effect.map(({ origin }) => origin))

/** A world behind the control API. A refused request fails the test with its message. */
export class SimulatedWorld {
  readonly id: string
  readonly url: string

  constructor(origin: string, id: string) {
    this.id = id
    this.url = `${origin}/sim/worlds/${id}`
  }

  static async begun(origin: string, beginning: object): Promise<SimulatedWorld> {
    const { id } = (await asked("POST", `${origin}/sim/worlds`, beginning)) as { readonly id: string }
    return new SimulatedWorld(origin, id)
  }

  /** The origin of the service for an agent. */
  get service(): string {
    return `${this.url}/service`
  }

  /** The result of a step that passed. */
  async do(step: object): Promise<any> {
    const outcome = (await asked("POST", `${this.url}/steps`, step)) as { readonly ended: unknown }
    if (outcome.ended !== undefined && outcome.ended !== null) throw new Error(JSON.stringify([step, outcome.ended]))
    return outcome
  }

  advance(by: string): Promise<any> {
    return asked("POST", `${this.url}/clock/advance`, { by })
  }

  post(what: string, body: object): Promise<any> {
    return asked("POST", `${this.url}/${what}`, body)
  }

  put(what: string, body: object): Promise<any> {
    return asked("PUT", `${this.url}/${what}`, body)
  }

  async text(what: string): Promise<string> {
    const response = await fetch(`${this.url}/${what}`)
    return response.text()
  }

  async lines(): Promise<ReadonlyArray<any>> {
    const trace = await this.text("trace")
    return trace
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  }
}

const asked = async (method: string, url: string, body: object): Promise<unknown> => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} ${JSON.stringify(body)}: ${response.status} ${text}`)
  return JSON.parse(text)
}
