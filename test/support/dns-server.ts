/** A name server on loopback, over UDP and TCP, with answers configured by a test. */
import * as dgram from "node:dgram"
import { once } from "node:events"
import * as net from "node:net"
import { Effect, type Scope } from "effect"

export type RecordType = "A" | "NS" | "CNAME" | "AAAA"

export interface NameRecord {
  /** Defaults to the name in the question. */
  readonly name?: string
  readonly type: RecordType
  readonly data: string
}

/** Records, a response code of RFC 1035, or no response. */
export type NameAnswer = ReadonlyArray<NameRecord> | "NXDOMAIN" | "SERVFAIL" | "REFUSED" | "NOTHING" | "GARBAGE"

export interface TestNameServer {
  /** The address in the format of resolver settings. */
  readonly server: string
  /** Every question received, like `AAAA receiver.example.com`; over TCP with a sign. */
  readonly questions: Array<string>
}

const types: Readonly<Record<RecordType, number>> = { A: 1, NS: 2, CNAME: 5, AAAA: 28 }
const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const

export const startNameServer = (
  answer: (name: string, type: RecordType) => NameAnswer
): Effect.Effect<TestNameServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const questions: Array<string> = []
    const respond = (query: Buffer, over: "UDP" | "TCP"): Buffer | undefined => {
      const { name, type, end } = questionIn(query)
      questions.push(`${type} ${name}${over === "TCP" ? " (TCP)" : ""}`)
      const given = answer(name, type)
      if (given === "NOTHING") return undefined
      if (given === "GARBAGE") return Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 9, 9])])
      const records = typeof given === "string" ? [] : given.map((record) => encoded(record))
      const whole = Buffer.concat(records)
      const isTruncated = over === "UDP" && whole.length > 400
      const head = Buffer.alloc(12)
      query.copy(head, 0, 0, 2)
      head.writeUInt16BE(0x8180 | (isTruncated ? 0x0200 : 0) | (typeof given === "string" ? codes[given] : 0), 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt16BE(isTruncated ? 0 : records.length, 6)
      return Buffer.concat([head, query.subarray(12, end), ...(isTruncated ? [] : [whole])])
    }
    const tcp = net.createServer((socket) => {
      socket.on("error", () => {})
      socket.on("data", (data) => {
        const response = respond(data.subarray(2), "TCP")
        if (response === undefined) return
        const length = Buffer.alloc(2)
        length.writeUInt16BE(response.length)
        socket.write(Buffer.concat([length, response]))
      })
    })
    yield* Effect.promise(() => once(tcp.listen(0, "127.0.0.1"), "listening"))
    const { port } = tcp.address() as net.AddressInfo
    const udp = dgram.createSocket("udp4", (query, from) => {
      const response = respond(query, "UDP")
      if (response !== undefined) udp.send(response, from.port, from.address)
    })
    yield* Effect.promise(() => once(udp.bind(port, "127.0.0.1"), "listening"))
    yield* Effect.addFinalizer(() => Effect.sync(() => (udp.close(), tcp.close())))
    return { server: `127.0.0.1:${port}`, questions }
  })

const questionIn = (query: Buffer): { readonly name: string; readonly type: RecordType; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  while (query[at] !== 0) {
    const length = query[at] ?? 0
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  const number = query.readUInt16BE(at + 1)
  const [type] = Object.entries(types).find(([, one]) => one === number) ?? ["A"]
  // Some resolvers randomize the case of names (0x20 encoding).
  return { name: labels.join(".").toLowerCase(), type: type as RecordType, end: at + 5 }
}

const encoded = ({ name, type, data }: NameRecord): Buffer => {
  const owner = name === undefined ? Buffer.from([0xc0, 0x0c]) : encodedName(name)
  const content = type === "A" || type === "AAAA" ? encodedAddress(data) : encodedName(data)
  const middle = Buffer.alloc(10)
  middle.writeUInt16BE(types[type], 0)
  middle.writeUInt16BE(1, 2)
  middle.writeUInt32BE(300, 4)
  middle.writeUInt16BE(content.length, 8)
  return Buffer.concat([owner, middle, content])
}

const encodedName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.alloc(1)
  ])

const encodedAddress = (address: string): Buffer => {
  if (net.isIPv4(address)) return Buffer.from(address.split(".").map(Number))
  const [before = "", after] = address.split("::")
  const groups = (text: string | undefined) => (text ? text.split(":") : []).map((group) => parseInt(group, 16))
  const [first, last] = [groups(before), groups(after)]
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}
