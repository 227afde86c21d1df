/**
 * Every leak source: the nondeterministic functions and values of the runtime, with the uses that are leaks. Uses with an
 * explicit time zone or locale are deterministic, so they are permitted.
 */
import childProcess from "node:child_process"
import crypto from "node:crypto"
import dgram from "node:dgram"
import dns from "node:dns"
import http from "node:http"
import http2 from "node:http2"
import https from "node:https"
import net from "node:net"
import os from "node:os"
import { performance } from "node:perf_hooks"
import timers from "node:timers"
import tls from "node:tls"
import { dateSources } from "./date-sources.ts"
import { localeSources } from "./locale-sources.ts"
import { alwaysLeaks, type LeakSource } from "./leak-source.ts"

/** Without the members that this version of the runtime lacks. */
export const leakSources = (): ReadonlyArray<LeakSource> =>
  [...time(), ...randomness(), ...timer(), ...network(), ...dateSources(), ...localeSources()].filter(
    ({ owner, key }) => key in owner
  )

const time = () => [
  ...alwaysLeaks("real time", Object.getPrototypeOf(performance), "performance", [
    "now",
    "timeOrigin",
    "mark",
    "toJSON"
  ]),
  ...alwaysLeaks("real time", process, "process", ["hrtime", "uptime", "cpuUsage", "memoryUsage", "resourceUsage"]),
  ...alwaysLeaks("real time", process.hrtime, "process.hrtime", ["bigint"]),
  ...alwaysLeaks("real time", os, "os", ["uptime", "loadavg", "freemem"]),
  ...alwaysLeaks("real time", temporalNow(), "Temporal.Now", [
    "instant",
    "zonedDateTimeISO",
    "plainDateTimeISO",
    "plainDateISO",
    "plainTimeISO"
  ]),
  ...alwaysLeaks("time zone", temporalNow(), "Temporal.Now", ["timeZoneId"])
]

const randomness = () => [
  ...alwaysLeaks("real randomness", Math, "Math", ["random"]),
  ...alwaysLeaks("real randomness", Crypto.prototype, "crypto", ["randomUUID", "getRandomValues"]),
  ...alwaysLeaks("real randomness", SubtleCrypto.prototype, "crypto.subtle", ["generateKey"]),
  ...alwaysLeaks("real randomness", crypto, "crypto", [
    "randomBytes",
    "pseudoRandomBytes",
    "randomUUID",
    "randomUUIDv7",
    "randomInt",
    "randomFill",
    "randomFillSync",
    "generateKey",
    "generateKeySync",
    "generateKeyPair",
    "generateKeyPairSync",
    "generatePrime",
    "generatePrimeSync",
    "publicEncrypt",
    "createECDH",
    "createDiffieHellman"
  ])
]

const timer = () => [
  ...[globalThis, timers].flatMap((owner) =>
    alwaysLeaks("real timer", owner, "", ["setTimeout", "setInterval", "setImmediate"])
  ),
  ...alwaysLeaks("real timer", timers.promises, "timers.promises", ["setTimeout", "setInterval", "setImmediate"]),
  ...alwaysLeaks("real timer", Object.getPrototypeOf(timers.promises.scheduler), "scheduler", ["wait", "yield"]),
  ...alwaysLeaks("real timer", AbortSignal, "AbortSignal", ["timeout"]),
  ...alwaysLeaks("real timer", Atomics, "Atomics", ["wait", "waitAsync"])
]

const network = () => [
  ...alwaysLeaks("network", globalThis, "", ["fetch", "WebSocket", "EventSource"]),
  ...alwaysLeaks("network", net, "net", ["connect", "createConnection"]),
  ...alwaysLeaks("network", net.Socket.prototype, "net.Socket", ["connect"]),
  ...alwaysLeaks("network", net.Server.prototype, "net.Server", ["listen"]),
  ...alwaysLeaks("network", tls, "tls", ["connect"]),
  ...alwaysLeaks("network", http, "http", ["request", "get"]),
  ...alwaysLeaks("network", https, "https", ["request", "get"]),
  ...alwaysLeaks("network", http2, "http2", ["connect"]),
  ...alwaysLeaks("network", dgram, "dgram", ["createSocket"]),
  ...alwaysLeaks("network", dns, "dns", functionsOf(dns, /^(lookup|resolve|reverse)/)),
  ...alwaysLeaks("network", dns.promises, "dns.promises", functionsOf(dns.promises, /^(lookup|resolve|reverse)/)),
  ...alwaysLeaks("network", os, "os", ["hostname", "networkInterfaces"]),
  ...alwaysLeaks("child process", childProcess, "child_process", functionsOf(childProcess, /^(exec|fork|spawn)/))
]

const functionsOf = (owner: object, names: RegExp): ReadonlyArray<string> =>
  Object.keys(owner).filter((key) => names.test(key))

/** Available in newer runtimes, and not yet in the library of the compiler. */
const temporalNow = (): object => {
  const temporal: unknown = Reflect.get(globalThis, "Temporal")
  return typeof temporal === "object" && temporal !== null ? (Reflect.get(temporal, "Now") as object) : {}
}
