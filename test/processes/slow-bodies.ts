/** A prompt client beside many clients that never finish their requests: its responses and their durations. */
import { Effect } from "effect"
import { makeAgent, makeParty } from "../support/parties.ts"
import { operator, type Environment, type TestInstallation } from "../support/installation.ts"
import { startServer } from "../support/server.ts"
import { SlowClients, slowRequests, type SlowKind } from "../support/slow-clients.ts"

export interface LoadOptions {
  /** Connections of slow clients, reopened whenever the server closes them. */
  readonly sockets: number
  /** Whether the prompt client sends another round. */
  readonly continues: (asked: number, elapsed: number) => boolean
}

export interface Outcome {
  readonly kind: SlowKind
  /** The statuses that the prompt client received, and the duration of each response in milliseconds. */
  readonly statuses: ReadonlyMap<string, number>
  readonly milliseconds: ReadonlyArray<number>
  /** The status lines that slow clients received. */
  readonly slowStatuses: ReadonlyMap<string, number>
  readonly wrong: ReadonlyArray<string>
}

export const slowKinds = [
  "JSON without a credential",
  "JSON with a credential",
  "a form without a session",
  "chunks without a length",
  "headers"
] satisfies ReadonlyArray<SlowKind>

/** Each kind of slow client in turn, all with one address; the prompt client has the same one, or another behind a proxy. */
export const measureBesideSlowBodies = Effect.fnUntraced(function* (
  { environment: base }: TestInstallation,
  way: "directly" | "through a proxy",
  kinds: ReadonlyArray<SlowKind>,
  extent: LoadOptions
) {
  const proxied: Environment = way === "directly" ? {} : { TRUSTED_PROXIES: "127.0.0.1" }
  const environment = { ...base, ...proxied }
  const { origin } = yield* startServer(environment)
  const token = yield* Effect.gen(function* () {
    return (yield* makeAgent(yield* makeParty("Dana"), "BUYER", ["CREATE_PROJECT"])).token
  }).pipe(Effect.provide(operator(environment)))
  const hops = (address: string) =>
    way === "directly" ? [] : [`X-Forwarded-For: ${address}`, "X-Forwarded-Proto: https"]
  const requests = slowRequests(token, origin, hops("198.51.100.1"))
  const outcomes: Array<Outcome> = []
  for (const kind of kinds) {
    const slow = new SlowClients()
    slow.begin(Number(new URL(origin).port), extent.sockets, requests[kind], { again: 1_000 })
    while (slow.open < extent.sockets) yield* Effect.sleep(10)
    // The server reads the beginnings of the requests meanwhile.
    yield* Effect.sleep(300)
    const asked = yield* Effect.promise(() => runPromptClient(origin, token, hops("198.51.100.2"), extent.continues))
    slow.stop()
    outcomes.push({
      kind,
      ...asked,
      slowStatuses: countByText(slow.answers.map((answer) => answer.split("\r\n", 1)[0]!))
    })
  }
  return outcomes
})

const runPromptClient = async (
  origin: string,
  token: string,
  hops: ReadonlyArray<string>,
  continues: LoadOptions["continues"]
): Promise<Pick<Outcome, "statuses" | "milliseconds" | "wrong">> => {
  const forwarded = Object.fromEntries(hops.map((hop) => hop.split(": ") as [string, string]))
  const milliseconds: Array<number> = []
  const answers: Array<string> = []
  const wrong: Array<string> = []
  const startedAt = performance.now()
  for (let asked = 0; continues(asked, performance.now() - startedAt); asked++) {
    for (const { what, path, expected, init } of promptRequests(origin, token)) {
      const sent = performance.now()
      const answer = await fetch(origin + path, { ...init, headers: { ...forwarded, ...init.headers } })
      await answer.arrayBuffer()
      milliseconds.push(performance.now() - sent)
      answers.push(`${answer.status} ${what}`)
      if (answer.status !== expected) wrong.push(`${what} was answered ${answer.status} and not ${expected}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { statuses: countByText(answers), milliseconds, wrong }
}

const promptRequests = (origin: string, token: string) => [
  {
    what: "a read",
    path: "/api/agents/v1/me",
    expected: 200,
    init: { headers: { authorization: `Bearer ${token}` } }
  },
  {
    what: "a connection",
    path: "/api/agents/v1/connections",
    expected: 201,
    init: {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agentName: "Scout", client: "drill/1" })
    }
  },
  {
    what: "a form",
    path: "/workspace/join",
    expected: 404,
    init: { method: "POST", headers: { origin }, body: new URLSearchParams({ code: "unknown" }) }
  },
  { what: "readiness", path: "/readyz", expected: 200, init: { headers: {} } }
]

const countByText = (texts: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
