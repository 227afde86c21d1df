/**
 * The owner of webhooks in a thread of its own, which no work of the service delays: a receiver behind real TLS that takes a
 * while for handshakes and answers, and a client. Answers one question at a time.
 */
import { once } from "node:events"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { parentPort, workerData } from "node:worker_threads"
import { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import { contextOf } from "../support/webhook-receiver.ts"
import { monotonicNow, type Acknowledgement, type ArrivedRequest, type ClientRequest } from "./subscriber.ts"

/** The longest waits, in milliseconds. */
const handshakeDelay = 40
const answerDelay = 100

const random = SeededRandom.derived(workerData as number, "receiver")
const certificate = contextOf("receiver")
let requests: Array<ArrivedRequest> = []

const server = https.createServer(
  {
    // Idle connections are closed by the sender, as those of most receivers.
    keepAliveTimeout: 60_000,
    SNICallback: (_, done) => void setTimeout(() => done(null, certificate), random.below(handshakeDelay))
  },
  async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += String(chunk)
    requests.push({ lastByteAt: monotonicNow(), headers: request.headersDistinct, body })
    // Half of the sends that follow open a connection, and half use an open one.
    if (random.chance(0.5)) response.setHeader("connection", "close")
    setTimeout(() => response.writeHead(204).end(), random.below(answerDelay))
  }
)

/** Sends a request; the acknowledgement counts from the moment at which the head of its answer arrived. */
const acknowledge = async ({ url, headers, body }: ClientRequest): Promise<Acknowledgement> => {
  const sentAt = monotonicNow()
  const response = await fetch(url, { method: "POST", headers, ...(body === undefined ? {} : { body }) })
  const acknowledgedAt = monotonicNow()
  return { sentAt, acknowledgedAt, status: response.status, text: await response.text() }
}

const takeRequests = (): ReadonlyArray<ArrivedRequest> => {
  const taken = requests
  requests = []
  return taken
}

parentPort!.on("message", (question: ClientRequest | "REQUESTS") => {
  if (question === "REQUESTS") parentPort!.postMessage(takeRequests(), [])
  else void acknowledge(question).then((acknowledged) => parentPort!.postMessage(acknowledged, []))
})

await once(server.listen(0, "127.0.0.1"), "listening")
parentPort!.postMessage((server.address() as AddressInfo).port, [])
