import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { HttpClientRequest, HttpServerRequest } from "effect/http"
import { transportRules, type TransportOptions } from "../../src/http/transport.ts"

const request = (from: string | undefined, headers: Readonly<Record<string, string>>) =>
  HttpServerRequest.fromClientRequest(
    HttpClientRequest.setHeaders(HttpClientRequest.get("http://in.process/"), headers)
  ).modify({ remoteAddress: Option.fromUndefinedOr(from) })

const rulesWith = (options: Partial<TransportOptions>) =>
  transportRules({ endsTls: false, trustedProxies: [], requestsInFlight: 1, ...options })

const token = { authorization: "Bearer token" }
const overHttps = { "x-forwarded-proto": "https" }
const proxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8"]

interface Arrival {
  readonly what: string
  readonly from?: string
  readonly headers: Readonly<Record<string, string>>
  readonly options?: Partial<TransportOptions>
  readonly isRefused: boolean
}

const arrivals: ReadonlyArray<Arrival> = [
  { what: "a token from this machine", from: "127.0.0.1", headers: token, isRefused: false },
  { what: "a token from elsewhere on this machine", from: "127.8.9.10", headers: token, isRefused: false },
  { what: "a token from this machine over IPv6", from: "::1", headers: token, isRefused: false },
  { what: "a token from this machine, IPv4 in IPv6", from: "::ffff:127.0.0.1", headers: token, isRefused: false },
  { what: "a token from inside this process", headers: token, isRefused: false },
  { what: "a token from another machine", from: "203.0.113.9", headers: token, isRefused: true },
  { what: "a token from the same network", from: "10.1.2.3", headers: token, isRefused: true },
  { what: "a token over IPv6", from: "2001:db8::1", headers: token, isRefused: true },
  { what: "no token from another machine", from: "203.0.113.9", headers: {}, isRefused: false },
  { what: "any scheme of authorization", from: "203.0.113.9", headers: { authorization: "Basic x" }, isRefused: true },
  {
    what: "a token from a stranger who says https",
    from: "203.0.113.9",
    headers: { ...token, ...overHttps },
    isRefused: true
  },
  {
    what: "a token over TLS that ends here",
    from: "203.0.113.9",
    headers: token,
    options: { endsTls: true },
    isRefused: false
  },
  {
    what: "a token that a proxy took over https",
    from: "10.1.2.3",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: false
  },
  {
    what: "the same by a proxy named alone",
    from: "::ffff:192.0.2.7",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: false
  },
  {
    what: "the same by a proxy of an IPv6 range",
    from: "fd00::7",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: false
  },
  {
    what: "a token that a proxy took over http",
    from: "10.1.2.3",
    headers: { ...token, "x-forwarded-proto": "http" },
    options: { trustedProxies: proxies },
    isRefused: true
  },
  {
    what: "a token by a proxy that does not say",
    from: "10.1.2.3",
    headers: token,
    options: { trustedProxies: proxies },
    isRefused: true
  },
  {
    what: "a token by a proxy on this machine that took it over http",
    from: "127.0.0.1",
    headers: { ...token, "x-forwarded-proto": "http" },
    options: { trustedProxies: ["127.0.0.1"] },
    isRefused: true
  },
  {
    what: "a token by a neighbour of the proxies",
    from: "192.0.2.8",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: true
  }
]

describe("a bearer token over plain HTTP", () => {
  it.each(arrivals)("$what is refused: $isRefused", ({ from, headers, options = {}, isRefused }) => {
    const refused = rulesWith(options).check(request(from, headers))
    assert.strictEqual(refused?.code, isRefused ? "HTTPS_REQUIRED" : undefined)
  })
})

describe("a request of a person", () => {
  const withToken = arrivals.filter(({ headers }) => "authorization" in headers)

  it.each(withToken)("that came like $what is secure: not $isRefused", ({ from, headers, options = {}, isRefused }) => {
    const others = Object.entries(headers).filter(([name]) => name !== "authorization")
    assert.strictEqual(rulesWith(options).isSecure(request(from, Object.fromEntries(others))), !isRefused)
  })
})

describe("the address of a client", () => {
  const forwarded = (chain: string) => ({ "x-forwarded-for": chain })

  it.each([
    { what: "is the peer", from: "203.0.113.9", headers: {}, address: "203.0.113.9" },
    {
      what: "is the peer whatever it says",
      from: "203.0.113.9",
      headers: forwarded("1.1.1.1"),
      address: "203.0.113.9"
    },
    { what: "is what a proxy says", from: "10.1.2.3", headers: forwarded("198.51.100.1"), address: "198.51.100.1" },
    {
      what: "is the last that the proxy wrote, not what the client put before it",
      from: "10.1.2.3",
      headers: forwarded("1.1.1.1, 198.51.100.1"),
      address: "198.51.100.1"
    },
    { what: "is the proxy where it says nothing", from: "10.1.2.3", headers: {}, address: "10.1.2.3" }
  ])("$what", ({ from, headers, address }) => {
    assert.strictEqual(rulesWith({ trustedProxies: proxies }).addressOf(request(from, headers)), address)
  })

  it("inside this process is none", () => {
    assert.isUndefined(rulesWith({}).addressOf(request(undefined, {})))
  })
})

describe("the trusted proxies", () => {
  it.each(["nowhere", "10.0.0.0/33", ""])("%j cannot be configured", (address) => {
    assert.throws(() => rulesWith({ trustedProxies: [address] }))
  })
})
