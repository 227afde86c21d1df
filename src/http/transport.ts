/** Trust in the transport of a request: TLS, proxies and client addresses. */
import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import { addressIn } from "../vocabulary/address.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"

type Request = HttpServerRequest.HttpServerRequest

export interface TransportOptions {
  /** True where this process terminates TLS. */
  readonly endsTls: boolean
  /** Addresses or ranges whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly requestsInFlight: number
}

export interface TransportRules {
  readonly requestsInFlight: number
  /** Refuses a bearer token over plain HTTP, except from this machine. */
  check(request: Request): Refusal | undefined
  /** True over TLS, as far as that can be trusted, and from this machine. */
  isSecure(request: Request): boolean
  /** The client's address, as far as it can be trusted; undefined inside this process. */
  addressOf(request: Request): string | undefined
}

export const transportRules = ({ endsTls, trustedProxies, requestsInFlight }: TransportOptions): TransportRules => {
  const proxies = trustedProxies.map(range)
  const peerOf = (request: Request) => Option.getOrUndefined(request.remoteAddress)
  const isProxy = (address: string) => proxies.some((one) => isWithin(address, one))
  const isSecure = (request: Request) => {
    const peer = peerOf(request)
    if (endsTls || peer === undefined) return true
    return isProxy(peer) ? request.headers["x-forwarded-proto"] === "https" : isLoopback(peer)
  }
  return {
    requestsInFlight,
    isSecure,
    check: (request) =>
      request.headers["authorization"] === undefined || isSecure(request) ? undefined : refusal("HTTPS_REQUIRED"),
    addressOf: (request) => {
      const peer = peerOf(request)
      if (peer === undefined || !isProxy(peer)) return peer
      // From the right, past trusted proxies: hops further left are claims of the client.
      const hops = request.headers["x-forwarded-for"]?.split(",").map((hop) => addressIn(hop.trim())) ?? []
      return hops.findLast((hop) => hop === undefined || !isProxy(hop)) ?? peer
    }
  }
}

/** The rules without a proxy; the default of a development server and of the simulator. */
export const Transport = Context.Reference<TransportRules>("countersign/http/Transport", {
  defaultValue: () => transportRules({ endsTls: false, trustedProxies: [], requestsInFlight: limits.requestsInFlight })
})

/** The client's address of the current request, as far as it can be trusted. */
export const clientAddress = Effect.gen(function* () {
  const { addressOf } = yield* Transport
  return addressOf(yield* HttpServerRequest.HttpServerRequest)
})

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const range = (text: string): Range => {
  if (text.includes("/")) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === "ipv4" ? 32 : 128]
}

const isWithin = (text: string, [network, bits]: Range): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return address.kind() === network.kind() && address.match([network, bits] as [typeof address, number])
}

const isLoopback = (text: string): boolean => ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback"
