/** A year of virtual time over the control API of a server in this process. */
import { acceptTermsStep, createAgreementInWorld, type ServerAnswer, TestServer } from "./simulator-server.ts"

export const waysThroughYear = {
  "one advance": async (calls) => void (await calls.post("/clock/advance", { by: "365d" }, 365)),
  "an advance a day": async (calls) => {
    for (let days = 1; days <= 365; days++) await calls.post("/clock/advance", { by: "1d" }, days)
  },
  "until idle each day": async (calls) => {
    for (let days = 1; days <= 365; days++) {
      await calls.post("/clock/advance", { until: "idle" })
      await calls.post("/clock/advance", { until: calls.momentAfter(days) }, days)
    }
  },
  "a wait of an agent a day": async (calls) => {
    for (let days = 1; days <= 365; days++) await calls.post("/agents/courier/wait", { for: "1d" }, days)
  }
} as const satisfies { readonly [way: string]: (calls: Calls) => Promise<void> }

export type WayThroughYear = keyof typeof waysThroughYear

interface Calls {
  /** After so many days since the start, if they are given, the answer has to state that very moment. */
  readonly post: (path: string, body: object, days?: number) => Promise<void>
  readonly momentAfter: (days: number) => string
}

export interface PassedYear {
  readonly requests: number
  /** The largest difference of the virtual time from the expected one. */
  readonly errorMilliseconds: number
  /** The webhook requests that its receiver left without an answer, also those of the steps before the year. */
  readonly unansweredWebhooks: number
}

/** A world with a session, grants, and a subscription whose receiver never answers, so that retries are due. */
export const startWorldForYear = async (): Promise<TestServer> => {
  const server = await TestServer.start()
  const { project } = await createAgreementInWorld(server)
  const steps = [
    { as: "dana", do: "signIn" },
    {
      as: "courier",
      do: "createWebhook",
      input: {
        target: "${hooks.target}",
        projectIds: [project],
        eventTypes: ["agreement.confirmed"],
        expiresAt: "2026-02-01T09:00:00.000Z"
      }
    },
    { as: "operator", do: "setReceiver", input: { receiver: "hooks", otherwise: { answers: "NOTHING" } } },
    { ...acceptTermsStep, on: project }
  ]
  for (const step of steps) requireSuccess(await server.step(step))
  return server
}

export const passYear = async (server: TestServer, way: WayThroughYear): Promise<PassedYear> => {
  const { session } = server.worlds.all[0]!.live
  const start = session.scheduler.now
  let requests = 0
  let errorMilliseconds = 0
  const momentAfter = (days: number) => new Date(start + days * day).toISOString()
  const post = async (path: string, body: object, days?: number) => {
    const { now } = requireSuccess(await server.control("POST", path, body))
    requests += 1
    if (days === undefined) return
    errorMilliseconds = Math.max(errorMilliseconds, Math.abs(Date.parse(now) - Date.parse(momentAfter(days))))
  }
  await waysThroughYear[way]({ post, momentAfter })
  const unansweredWebhooks = session.observations.filter(({ kind }) => kind === "hangup").length
  return { requests, errorMilliseconds, unansweredWebhooks }
}

const day = 86_400_000

const requireSuccess = ({ status, text, body }: ServerAnswer) => {
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return body
}
