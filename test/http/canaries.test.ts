/** A secret put into any field that takes one is in no log, span, answer or address, but where it was made. */
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, Tracer } from "effect"
import { approveConnection, enterUserCode } from "../../src/access/approval.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { unrepeated } from "../../src/replay/replay.ts"
import { tokenHash, tokenPrefixes } from "../../src/vocabulary/token.ts"
import {
  freshService,
  postgresStorage,
  send,
  siteUrl,
  testService,
  type Answer,
  type SendOptions
} from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

/** Everything the service tells anybody but its caller. */
const told: Array<string> = []

const listening = Logger.layer([
  Logger.make((entry) => void told.push(`${Logger.formatJson.log(entry)} ${Logger.formatLogFmt.log(entry)}`))
])

class ToldSpan extends Tracer.NativeSpan {
  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    super.end(endTime, exit)
    // As exporters do it: of what ended well only that it did.
    const ending = Exit.isSuccess(exit) ? "OK" : Cause.pretty(exit.cause)
    const seen = [this.name, ...this.attributes, ...this.events, ending]
    told.push(JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value)))
  }
}

const tracing = Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new ToldSpan(options) }))

const observed = Layer.unwrap(Effect.map(freshService, (connection) => testService(postgresStorage(connection)))).pipe(
  Layer.provideMerge(Layer.merge(listening, tracing))
)

const agents = "/api/agents/v1"
const sameSite = { origin: siteUrl }

/** Real secrets of every kind, each live, and what is stored of them. */
const makeSecrets = Effect.gen(function* () {
  const dana = yield* signInAnew("Dana")
  const started = (yield* send("POST", `${agents}/connections`, { body: { agentName: "Scout", client: "x" } })).body
  const { connectionId } = yield* enterUserCode(dana, started.userCode, undefined)
  const { organizationId } = dana
  yield* approveConnection(dana, connectionId, {
    organizationId,
    role: "BUYER",
    actions: [],
    consents: [],
    projectIds: [],
    subjectRequirements: []
  })
  const polled = (yield* send("POST", `${agents}/connections/poll`, { body: { deviceCode: started.deviceCode } })).body
  const waiting = (yield* send("POST", `${agents}/connections`, { body: { agentName: "Other", client: "x" } })).body
  const invitation = yield* inviteMember(dana, yield* unrepeated(dana.personId), { organizationId, authorities: [] })
  const code = "code" in invitation ? invitation.code : ""
  return {
    agent: polled.credential.token as string,
    device: started.deviceCode as string,
    user: waiting.userCode as string,
    session: dana.token,
    invitation: code,
    password: "correct horse battery staple canary",
    participation: tokenPrefixes.participation + "0".repeat(49)
  }
})

type Secrets = Effect.Success<typeof makeSecrets>

/** Each secret in each place that takes one, right or wrong, and what surrounds it broken. */
const requestsWith = (secret: string): ReadonlyArray<readonly [path: string, options: SendOptions]> => {
  const long = secret.repeat(10)
  const form = (fields: Record<string, string>): SendOptions => ({
    raw: new URLSearchParams(fields).toString(),
    headers: { ...sameSite, "content-type": "application/x-www-form-urlencoded" }
  })
  const body = (members: unknown): SendOptions => ({ body: members, headers: sameSite })
  return [
    [`${agents}/me`, { token: secret }],
    [`${agents}/me`, { token: `${secret}0` }],
    [`${agents}/me`, { headers: { authorization: `Basic ${secret}` } }],
    [`${agents}/me?access_token=${encodeURIComponent(secret)}`, {}],
    [`${agents}/projects/${encodeURIComponent(secret)}`, { token: secret }],
    [`/${encodeURIComponent(secret)}`, { headers: { referer: `${siteUrl}/?t=${encodeURIComponent(secret)}` } }],
    ["/api/participation/item", { token: secret }],
    ["/api/workspace/session", { headers: { cookie: `__Host-countersign=${encodeURIComponent(secret)}` } }],
    ["/workspace/", { headers: { cookie: `__Host-countersign=${encodeURIComponent(secret)}` } }],
    [`/workspace/${encodeURIComponent(secret)}`, {}],
    [`/workspace/sign-in/callback?code=${encodeURIComponent(secret)}&state=${encodeURIComponent(secret)}`, {}],
    ["/workspace/sign-in", form({ name: "dana", password: secret })],
    ["/workspace/sign-in", form({ name: "dana", password: long })],
    ["/workspace/join", form({ code: secret })],
    ["/workspace/connect", form({ userCode: secret })],
    [`${agents}/connections/poll`, body({ deviceCode: secret })],
    [`${agents}/connections/poll`, body({ deviceCode: long })],
    [`${agents}/connections/poll`, body({ deviceCode: [secret] })],
    [`${agents}/connections/poll`, { raw: `{"deviceCode": "${secret}"` }],
    ["/api/workspace/connections/enter", body({ userCode: secret })],
    ["/api/workspace/invitations/read", body({ code: secret })]
  ]
}

/** The same for a person whose session is live: what they type is not told either. */
const signedInRequests = (session: string, secret: string): ReadonlyArray<readonly [string, SendOptions]> => {
  const headers = { ...sameSite, cookie: `__Host-countersign=${session}` }
  const long = secret.repeat(60)
  return ["connections/enter userCode", "invitations/read code", "invitations/accept-membership code"].flatMap(
    (place) => {
      const [path = "", member = ""] = place.split(" ")
      return [secret, long, [secret], { [member]: secret }].map(
        (value) => [`/api/workspace/${path}`, { body: { [member]: value }, headers }] as const
      )
    }
  )
}

const textOf = ({ headers, text }: Answer): string => JSON.stringify(headers) + text

layer(observed, { excludeTestServices: true })("a secret in a credential field", (it) => {
  it.effect("is told to nobody", () =>
    Effect.gen(function* () {
      const secrets: Secrets = yield* makeSecrets
      const answers: Array<string> = []
      for (const secret of Object.values(secrets)) {
        for (const [path, options] of [...requestsWith(secret), ...signedInRequests(secrets.session, secret)]) {
          const method = options.body === undefined && options.raw === undefined ? "GET" : "POST"
          const answer = yield* send(method, path, options)
          assert.notStrictEqual(answer.status, 500, path)
          answers.push(`${path.split("?")[0]!.slice(0, 40)} ${textOf(answer)}`)
        }
      }
      assert.isAtLeast(told.length, answers.length)
      for (const [kind, secret] of Object.entries(secrets)) {
        const forms = new Set([secret, encodeURIComponent(secret), encodeURI(secret), tokenHash(secret)])
        for (const form of forms) {
          assert.deepStrictEqual(
            told.filter((line) => line.includes(form)),
            [],
            `${kind} in a log or span`
          )
          const inAnswers = answers.filter((text) => text.slice(text.indexOf(" ")).includes(form))
          assert.deepStrictEqual(inAnswers, [], `${kind} in an answer`)
        }
      }
    })
  )
})
