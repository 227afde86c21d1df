/** A real OpenID Connect provider on loopback, and a person who uses its pages without a browser. */
import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { CompactSign } from "jose"
import Provider from "oidc-provider"

export interface TestProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Replaces its response at a path from now on, to simulate a faulty provider. */
  readonly override: (path: string, change: (body: any) => unknown) => void
  /** The queries and bodies received. */
  readonly received: () => string
  readonly stop: () => Promise<void>
}

export interface ProviderOptions {
  readonly redirectUri: string
  /** Seconds. */
  readonly codeLifetime?: number
  /** Claims about a person in addition to `sub`, which is the login name. */
  readonly profile?: Readonly<Record<string, unknown>>
  /** A public client, without a secret, uses PKCE only. */
  readonly isPublic?: boolean
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

/** A response of the token endpoint whose ID token has other claims, under the provider's signature. */
export const withClaims =
  (changed: Readonly<Record<string, unknown>>) =>
  async (body: { readonly id_token: string }): Promise<unknown> => {
    const [header, payload] = body.id_token.split(".").map((part) => Buffer.from(part, "base64url").toString())
    const claims = Buffer.from(JSON.stringify({ ...JSON.parse(payload!), ...changed }))
    const token = await new CompactSign(claims).setProtectedHeader(JSON.parse(header!)).sign(privateKey)
    return { ...body, id_token: token }
  }

const clientId = "countersign"
const clientSecret = "secret-of-the-client-0123456789abcdef"

/** With the package's development pages: a login with any name, and a consent. */
export const startProvider = (options: ProviderOptions): Effect.Effect<TestProvider, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(options)),
    ({ stop }) => Effect.promise(stop)
  )

const start = async (options: ProviderOptions): Promise<TestProvider> => {
  const changes = new Map<string, (body: any) => unknown>()
  let received = ""
  const server = http.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = withoutWarnings(() => new Provider(issuer, configurationOf(options)))
  provider.use(async (context, next) => {
    await next()
    const change = changes.get(context.path)
    if (change !== undefined) context.body = await change(context.body)
  })
  const answer = provider.callback()
  server.on("request", (request, response) => {
    received += `${request.url}\n`
    void answer(request, response)
  })
  return {
    issuer,
    clientId,
    clientSecret,
    override: (path, change) => void changes.set(path, change),
    received: () => received,
    stop: async () => {
      server.closeAllConnections()
      if (server.listening) await once(server.close(), "close")
    }
  }
}

const configurationOf = ({ redirectUri, codeLifetime, profile, isPublic }: ProviderOptions) => ({
  clients: [
    {
      client_id: clientId,
      redirect_uris: [redirectUri],
      ...(isPublic === true ? { token_endpoint_auth_method: "none" as const } : { client_secret: clientSecret })
    }
  ],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] },
  // Names are in the ID token, as most providers have it; the standard's default is userinfo only.
  conformIdTokenClaims: false,
  claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
  findAccount: (_: unknown, id: string) => ({
    accountId: id,
    claims: () => Promise.resolve({ name: `${id} by name`, ...profile, sub: id })
  }),
  cookies: { keys: ["of a provider that lives for one test"] },
  ttl: {
    AuthorizationCode: codeLifetime ?? 60,
    Interaction: 600,
    Session: 3600,
    Grant: 3600,
    AccessToken: 60,
    IdToken: 60
  }
})

/** Suppresses its warnings about development defaults. */
const withoutWarnings = <A>(make: () => A): A => {
  const { info, warn } = console
  console.info = console.warn = () => {}
  try {
    return make()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** A person with a browser's cookies. */
export class PersonAtProvider {
  readonly #cookies = new Map<string, string>()

  /** Follows the provider's pages, signs in under this name if asked, and returns the query of the redirect. */
  async signIn(address: string, name: string): Promise<string> {
    return this.#follow(address, async (page, body) => {
      if (body.includes('value="login"')) return this.#post(page, { prompt: "login", login: name, password: "any" })
      return this.#post(page, { prompt: "consent" })
    })
  }

  /** Follows the link that cancels. */
  async refuse(address: string): Promise<string> {
    return this.#follow(address, (page) => this.#get(`${page}/abort`))
  }

  async #follow(address: string, act: (page: string, body: string) => Promise<Response>): Promise<string> {
    let response = await this.#get(address)
    let at = address
    for (let steps = 0; steps < 20; steps++) {
      const location = response.headers.get("location")
      if (location === null) {
        response = await act(at, await response.text())
        if (!response.headers.has("location")) throw new Error(`the provider answered ${response.status}`)
        continue
      }
      const next = new URL(location, at)
      if (next.origin !== new URL(address).origin) return next.search.slice(1)
      at = next.href
      response = await this.#get(at)
    }
    throw new Error("the provider redirects endlessly")
  }

  #get(address: string): Promise<Response> {
    return this.#send(address, {})
  }

  #post(address: string, fields: Record<string, string>): Promise<Response> {
    return this.#send(address, { method: "POST", body: new URLSearchParams(fields) })
  }

  async #send(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(address, { ...init, redirect: "manual", headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}
