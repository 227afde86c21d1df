/** A service of which the test says each answer, and a client of it whose waits take no time. */
import type { Clock } from "../../../clients/typescript/clock.ts"
import { Countersign } from "../../../clients/typescript/client.ts"
import type { Person } from "../../../clients/typescript/person.ts"
import { MemoryStore, type Store } from "../../../clients/typescript/store.ts"

/** `LOST` for an answer that does not arrive, a text for a page that is not the service's. */
export type ScriptedAnswer =
  | "LOST"
  | string
  | { readonly status: number; readonly body: object; readonly headers?: Readonly<Record<string, string>> }

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly token: string | undefined
  /** The names in the store at the moment of sending. */
  readonly saved: ReadonlyArray<string>
}

export class TestClock implements Clock {
  readonly waits: Array<number> = []
  milliseconds = Date.parse("2026-03-02T09:00:00.000Z")

  async now(): Promise<number> {
    return this.milliseconds
  }

  async wait(seconds: number): Promise<void> {
    this.waits.push(seconds)
    this.milliseconds += seconds * 1000
  }

  async waitForNews(seconds: number): Promise<void> {
    await this.wait(seconds)
  }

  notify(): void {}
}

interface Settings {
  readonly store?: Store
  readonly token?: string
  readonly credential?: string
}

/** `answer` gets each request, with the ones before it, and says what comes back. */
export const scriptedClient = (
  answer: (request: SentRequest, before: ReadonlyArray<SentRequest>) => ScriptedAnswer,
  { store = new MemoryStore(), token = "token-1", credential }: Settings = {}
) => {
  const sent: Array<SentRequest> = []
  const texts: Array<string> = []
  const clock = new TestClock()
  const person: Person = {
    tell: async (text) => void texts.push(text),
    credential: async () => credential
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const request: SentRequest = {
      method: init?.method ?? "GET",
      path: new URL(String(input)).pathname + new URL(String(input)).search,
      body: typeof init?.body === "string" ? init.body : undefined,
      token: headers.get("authorization")?.replace("Bearer ", ""),
      saved: await store.names("")
    }
    const next = answer(request, [...sent])
    sent.push(request)
    if (next === "LOST") throw new TypeError("fetch failed")
    if (typeof next === "string") return new Response(next, { status: 502 })
    return Response.json(next.body, { status: next.status, headers: next.headers ?? {} })
  }
  const client = new Countersign({ baseUrl: "https://service.test", token, store, clock, person, fetch, sendsMax: 4 })
  return { client, sent, texts, clock, store }
}

export const refusalOf = (status: number, error: string, nextAction: string, headers = {}): ScriptedAnswer => ({
  status,
  body: { error, detail: `${error}.`, retryable: false, nextAction },
  headers
})

/** A reading of the project with what commands need of it. */
export const viewOf = ({ head = "a", revision = 0, state = "LOCKED", ...more } = {} as ViewFacts) => ({
  status: 200,
  body: {
    project: { taskId: "delivery_1", state, headEventHash: head.repeat(64), agreement: { digest: "d".repeat(64) } },
    automation: { revision, paused: more.paused ?? false, pausedBy: [] },
    humanUrl: "https://service.test/workspace/projects/delivery_1",
    availableActions: [],
    blockedActions: more.blocked ?? [],
    decisionActions: []
  }
})

interface ViewFacts {
  readonly head?: string
  readonly revision?: number
  readonly state?: string
  readonly paused?: boolean
  readonly blocked?: ReadonlyArray<object>
}
