/** Requests of signed-in people to the operations of the workspace, as a page of the site sends them. */
import { Context, Effect } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { uuid } from "./parties.ts"
import { send, siteUrl, type SendOptions } from "./service.ts"
import type { SignedInPerson } from "./sessions.ts"

export const workspace = "/api/workspace"

export const cookieOf = (token: string) => `${cookieNames.session}=${token}`

type Sender = Pick<SignedInPerson, "token">

export const options = ({ token }: Sender, more: SendOptions): SendOptions => ({
  ...more,
  headers: { cookie: cookieOf(token), origin: siteUrl, ...more.headers }
})

export const read = (by: Sender, path: string, more: SendOptions = {}) =>
  send("GET", `${workspace}${path}`, options(by, more))

/** The origin of the pages that send requests; a served site has its own. */
export const RequestOrigin = Context.Reference<string>("countersign/test/RequestOrigin", {
  defaultValue: () => siteUrl
})

export const post = (by: Sender, path: string, body?: unknown, more: SendOptions = {}) =>
  Effect.flatMap(RequestOrigin, (origin) =>
    send(
      "POST",
      `${workspace}${path}`,
      options(by, { ...(body === undefined ? {} : { body }), ...more, headers: { origin, ...more.headers } })
    )
  )

/** A grant that a person creates by hand; `changes` replaces members. */
export const grantInput = (by: Pick<SignedInPerson, "organizationId">, changes: object = {}) => ({
  requestId: uuid(),
  agentName: "Scout",
  ...agentChoice(by),
  ...changes
})

/** A person's choice for an agent. */
export const agentChoice = ({ organizationId }: Pick<SignedInPerson, "organizationId">, changes: object = {}) => ({
  organizationId,
  role: "BUYER",
  projectIds: [],
  actions: ["CREATE_PROJECT"],
  consents: [],
  subjectRequirements: [],
  ...changes
})

/** The status of a response and, for a refusal, its code. */
export const outcome = ({ status, body }: { readonly status: number; readonly body: any }) =>
  body?.error === undefined ? [status] : [status, body.error]

export const createdBody = <A extends { readonly status: number; readonly body: any }>(answer: A): any => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
