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
    what: "a token from another machine that claims https",
    from: "203.0.113.9",
    headers: { ...token, ...overHttps },
    isRefused: true
  },
  {
    what: "a token over TLS terminated here",
    from: "203.0.113.9",
    headers: token,
    options: { endsTls: true },
    isRefused: false
  },
  {
    what: "a token that a proxy received over https",
    from: "10.1.2.3",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: false
  },
  {
    what: "a token that a proxy with a single address received over https",
    from: "::ffff:192.0.2.7",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: false
  },
  {
    what: "a token that a proxy of an IPv6 range received over https",
    from: "fd00::7",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: false
  },
  {
    what: "a token that a proxy received over http",
    from: "10.1.2.3",
    headers: { ...token, "x-forwarded-proto": "http" },
    options: { trustedProxies: proxies },
    isRefused: true
  },
  {
    what: "a token from a proxy without a forwarded protocol",
    from: "10.1.2.3",
    headers: token,
    options: { trustedProxies: proxies },
    isRefused: true
  },
  {
    what: "a token that a proxy on this machine received over http",
    from: "127.0.0.1",
    headers: { ...token, "x-forwarded-proto": "http" },
    options: { trustedProxies: ["127.0.0.1"] },
    isRefused: true
  },
  {
    what: "a token from a neighbour of the proxies",
    from: "192.0.2.8",
    headers: { ...token, ...overHttps },
    options: { trustedProxies: proxies },
    isRefused: true
  }
]

describe("bearer tokens over plain HTTP", () => {
  it.each(arrivals)("The transport refuses $what: $isRefused", ({ from, headers, options = {}, isRefused }) => {
    const refused = rulesWith(options).check(request(from, headers))
    assert.strictEqual(refused?.code, isRefused ? "HTTPS_REQUIRED" : undefined)
  })
})

describe("transport security of people's requests", () => {
  const withToken = arrivals.filter(({ headers }) => "authorization" in headers)

  it.each(withToken)(
    "A person's request sent like $what is insecure: $isRefused",
    ({ from, headers, options = {}, isRefused }) => {
      const others = Object.entries(headers).filter(([name]) => name !== "authorization")
      assert.strictEqual(rulesWith(options).isSecure(request(from, Object.fromEntries(others))), !isRefused)
    }
  )
})

describe("client addresses", () => {
  const forwarded = (chain: string) => ({ "x-forwarded-for": chain })

  it.each([
    { what: "The client address is that of the peer", from: "203.0.113.9", headers: {}, address: "203.0.113.9" },
    {
      what: "The client address is that of an untrusted peer, whatever it forwards",
      from: "203.0.113.9",
      headers: forwarded("1.1.1.1"),
      address: "203.0.113.9"
    },
    {
      what: "The client address is the one that a proxy forwards",
      from: "10.1.2.3",
      headers: forwarded("198.51.100.1"),
      address: "198.51.100.1"
    },
    {
      what: "The client address is the last one that the proxy appended",
      from: "10.1.2.3",
      headers: forwarded("1.1.1.1, 198.51.100.1"),
      address: "198.51.100.1"
    },
    {
      what: "The client address is that of a proxy that forwards none",
      from: "10.1.2.3",
      headers: {},
      address: "10.1.2.3"
    }
  ])("$what", ({ from, headers, address }) => {
    assert.strictEqual(rulesWith({ trustedProxies: proxies }).addressOf(request(from, headers)), address)
  })

  it("A request inside this process has no client address", () => {
    assert.isUndefined(rulesWith({}).addressOf(request(undefined, {})))
  })
})

describe("trusted proxies", () => {
  it.each(["nowhere", "10.0.0.0/33", ""])("The trusted proxy %j is rejected by the configuration", (address) => {
    assert.throws(() => rulesWith({ trustedProxies: [address] }))
  })
})
