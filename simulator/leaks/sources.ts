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
import { dateSources } from "./dates.ts"
import { localeSources } from "./locales.ts"
import { always, type Source } from "./source.ts"

/** Without the members that this version of the runtime lacks. */
export const sources = (): ReadonlyArray<Source> =>
  [...time(), ...randomness(), ...timer(), ...network(), ...dateSources(), ...localeSources()].filter(
    ({ owner, key }) => key in owner
  )

const time = () => [
  ...always("real time", Object.getPrototypeOf(performance), "performance", ["now", "timeOrigin", "mark", "toJSON"]),
  ...always("real time", process, "process", ["hrtime", "uptime", "cpuUsage", "memoryUsage", "resourceUsage"]),
  ...always("real time", process.hrtime, "process.hrtime", ["bigint"]),
  ...always("real time", os, "os", ["uptime", "loadavg", "freemem"]),
  ...always("real time", temporalNow(), "Temporal.Now", [
    "instant",
    "zonedDateTimeISO",
    "plainDateTimeISO",
    "plainDateISO",
    "plainTimeISO"
  ]),
  ...always("time zone", temporalNow(), "Temporal.Now", ["timeZoneId"])
]

const randomness = () => [
  ...always("real randomness", Math, "Math", ["random"]),
  ...always("real randomness", Crypto.prototype, "crypto", ["randomUUID", "getRandomValues"]),
  ...always("real randomness", SubtleCrypto.prototype, "crypto.subtle", ["generateKey"]),
  ...always("real randomness", crypto, "crypto", [
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
    always("real timer", owner, "", ["setTimeout", "setInterval", "setImmediate"])
  ),
  ...always("real timer", timers.promises, "timers.promises", ["setTimeout", "setInterval", "setImmediate"]),
  ...always("real timer", Object.getPrototypeOf(timers.promises.scheduler), "scheduler", ["wait", "yield"]),
  ...always("real timer", AbortSignal, "AbortSignal", ["timeout"]),
  ...always("real timer", Atomics, "Atomics", ["wait", "waitAsync"])
]

const network = () => [
  ...always("network", globalThis, "", ["fetch", "WebSocket", "EventSource"]),
  ...always("network", net, "net", ["connect", "createConnection"]),
  ...always("network", net.Socket.prototype, "net.Socket", ["connect"]),
  ...always("network", net.Server.prototype, "net.Server", ["listen"]),
  ...always("network", tls, "tls", ["connect"]),
  ...always("network", http, "http", ["request", "get"]),
  ...always("network", https, "https", ["request", "get"]),
  ...always("network", http2, "http2", ["connect"]),
  ...always("network", dgram, "dgram", ["createSocket"]),
  ...always("network", dns, "dns", functionsOf(dns, /^(lookup|resolve|reverse)/)),
  ...always("network", dns.promises, "dns.promises", functionsOf(dns.promises, /^(lookup|resolve|reverse)/)),
  ...always("network", os, "os", ["hostname", "networkInterfaces"]),
  ...always("child process", childProcess, "child_process", functionsOf(childProcess, /^(exec|fork|spawn)/))
]

const functionsOf = (owner: object, names: RegExp): ReadonlyArray<string> =>
  Object.keys(owner).filter((key) => names.test(key))

/** Available in newer runtimes, and not yet in the library of the compiler. */
const temporalNow = (): object => {
  const temporal: unknown = Reflect.get(globalThis, "Temporal")
  return typeof temporal === "object" && temporal !== null ? (Reflect.get(temporal, "Now") as object) : {}
}
