/** Every field that accepts a secret, and everything that the service emits to logs and traces. */
import { Cause, Exit, Layer, Logger, References, Tracer } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { siteUrl, type SendOptions } from "./service.ts"

export interface CapturedOutput {
  readonly logs: Array<string>
  readonly spans: Array<string>
}

/** Loggers of every level, in both formats, and a tracer that collects spans as exporters do. */
export const captureTo = (told: CapturedOutput) => {
  const logger = Logger.make((entry) => {
    told.logs.push(`${Logger.formatJson.log(entry)} ${Logger.formatLogFmt.log(entry)}`)
  })
  class ToldSpan extends Tracer.NativeSpan {
    override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
      super.end(endTime, exit)
      // As in exporters: only the success of a successful span is recorded.
      const ending = Exit.isSuccess(exit) ? "OK" : Cause.pretty(exit.cause)
      const seen = [this.name, ...this.attributes, ...this.events, ending]
      told.spans.push(JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value)))
    }
  }
  return Layer.mergeAll(
    Logger.layer([logger]),
    Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new ToldSpan(options) })),
    Layer.succeed(References.MinimumLogLevel, "All")
  )
}

export interface CanaryRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly options: SendOptions
  /** True if the page shows a person their own input again. */
  readonly isEchoed?: boolean
}

/** The session and the forms of a request, and a name in the directory. */
export interface CanaryContext {
  readonly session: string
  readonly formToken: string
  readonly name: string
}

// Each request has an address of its own, so that no rate limit refuses it first.
let addresses = 0
const nextAddress = () => `127.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`

const get = (path: string, options: SendOptions = {}): CanaryRequest => ({
  method: "GET",
  path,
  options: { from: nextAddress(), ...options }
})

const json = (path: string, body: unknown, cookie?: string): CanaryRequest => ({
  method: "POST",
  path,
  options: { from: nextAddress(), body, headers: { origin: siteUrl, ...(cookie && { cookie }) } }
})

const form = (path: string, fields: Readonly<Record<string, string>>, cookie?: string): CanaryRequest => ({
  method: "POST",
  path,
  options: {
    from: nextAddress(),
    raw: new URLSearchParams(fields).toString(),
    headers: {
      origin: siteUrl,
      "content-type": "application/x-www-form-urlencoded",
      ...(cookie && { cookie })
    }
  }
})

const agents = "/api/agents/v1"

/** A request for each field, with only the secret in it. */
export const requestsWith = (secret: string, { name }: CanaryContext): ReadonlyArray<CanaryRequest> => {
  const coded = encodeURIComponent(secret)
  const long = secret.repeat(10)
  const callback = "/workspace/sign-in/callback"
  return [
    get(`${agents}/me`, { token: secret }),
    get(`${agents}/me`, { token: `${secret}0` }),
    get(`${agents}/me`, { headers: { authorization: `Basic ${secret}` } }),
    get(`${agents}/me?access_token=${coded}`),
    get(`${agents}/projects/${coded}`, { token: secret }),
    get(`/${coded}`, { headers: { referer: `${siteUrl}/?t=${coded}` } }),
    get("/api/participation/item", { token: secret }),
    {
      method: "POST",
      path: "/api/participation/item/notes",
      options: { token: secret, body: { requestId: crypto.randomUUID(), text: "A note." } }
    },
    ...Object.values(cookieNames).flatMap((cookie) => {
      const headers = { cookie: `${cookie}=${coded}` }
      return [
        get("/api/workspace/session", { headers }),
        get("/workspace/", { headers }),
        get("/workspace/join", { headers }),
        get(`${callback}?code=${coded}&state=${coded}`, { headers })
      ]
    }),
    get(`/workspace/${coded}`),
    get(`${callback}?code=${coded}&state=${coded}`),
    get(`${callback}?error=${coded}&error_description=${coded}`),
    form("/workspace/sign-in", { name, password: secret }),
    form("/workspace/sign-in", { name: "nobody", password: secret }),
    form("/workspace/sign-in", { name, password: long.repeat(10) }),
    form("/workspace/join", { code: secret }),
    form("/workspace/connect", { code: secret }),
    json(`${agents}/connections/poll`, { deviceCode: secret }),
    json(`${agents}/connections/poll`, { deviceCode: long }),
    json(`${agents}/connections/poll`, { deviceCode: [secret] }),
    { method: "POST", path: `${agents}/connections/poll`, options: { raw: `{"deviceCode": "${secret}"` } },
    json("/api/workspace/connections/enter", { userCode: secret }),
    json("/api/workspace/invitations/read", { code: secret })
  ]
}

/** The same for a signed-in person: their input is not logged either. */
export const signedInRequests = (
  secret: string,
  { session, formToken }: CanaryContext
): ReadonlyArray<CanaryRequest> => {
  const cookie = `${cookieNames.session}=${session}`
  const places = ["connections/enter userCode", "invitations/read code", "invitations/accept-membership code"]
  return [
    ...places.flatMap((place) => {
      const [path = "", member = ""] = place.split(" ")
      return [secret, secret.repeat(60), [secret], { [member]: secret }].map((value) =>
        json(`/api/workspace/${path}`, { [member]: value }, cookie)
      )
    }),
    { ...form("/workspace/connect", { formToken, code: secret }, cookie), isEchoed: true },
    form("/workspace/join", { formToken, code: secret }, cookie),
    ...["connect", "join", "sign-out"].map((page) => form(`/workspace/${page}`, { formToken: secret }, cookie))
  ]
}

/** Valid and invalid answers of a provider to the browser that holds the sign-in attempt. */
export const redirectRequests = ({
  sealedSignIn = "",
  code = "",
  state = ""
}: Readonly<Record<string, string>>): ReadonlyArray<CanaryRequest> => {
  const cookie = `${cookieNames.signIn}=${sealedSignIn}`
  return [
    `code=${code}&state=${state}`,
    `code=${code}&state=wrong`,
    `code=wrong&state=${state}`,
    `error=access_denied&error_description=${code}&state=${state}`,
    `id_token=${code}&state=${state}`
  ].map((query) => get(`/workspace/sign-in/callback?${query}`, { headers: { cookie } }))
}

export const signInAgain = (session: string, { password }: { readonly password: string }): CanaryRequest =>
  form("/workspace/sign-in", { name: "dana", password }, `${cookieNames.session}=${session}`)
