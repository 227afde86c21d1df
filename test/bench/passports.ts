/** Result Passports of the whole service on Postgres, against the signatures and hashes that each needs. */
import { generateKeyPairSync, hash, sign } from "node:crypto"
import { Effect } from "effect"
import { copyPublication } from "../support/stored-publications.ts"
import { publishedResult, selectionOf } from "../support/publications.ts"
import { send } from "../support/service.ts"
import type { Extent } from "./extent.ts"
import { type Figure, readable, type Section } from "./figure.ts"
import { busySecondsOf, median } from "./measure.ts"

const sizes = [1, 20]

export const measurePassports = Effect.fnUntraced(function* ({ seconds, rounds }: Extent) {
  const { publication, subjectId } = yield* publishedResult
  yield* copyPublication(publication, Math.max(...sizes) - 1)
  const provider = `/api/public/providers/${subjectId}`
  const { publications } = (yield* send("GET", `${provider}/publications`)).body
  const figures = yield* Effect.forEach(sizes, (size) => {
    const body = { selections: publications.slice(0, size).map(selectionOf) }
    return compare(size, send("POST", `${provider}/passport`, { body }), seconds * rounds)
  })
  return [{ title: "Result Passports, against their signatures and hashes", figures }] satisfies ReadonlyArray<Section>
})

/** Both in turns for that long, by the CPU time of this process; the first half of the turns warms both up. */
const compare = Effect.fnUntraced(function* (size: number, request: ReturnType<typeof send>, seconds: number) {
  const first = yield* request
  if (first.status !== 200) throw new Error(`the passport was answered with ${first.status}`)
  const floor = floorOf(first.body)
  const turns: Array<{ readonly passport: number; readonly wall: number; readonly floor: number }> = []
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    yield* request
    const { user, system } = process.cpuUsage(before)
    const wall = (performance.now() - start) / 1000
    turns.push({ passport: (user + system) / 1_000_000, wall, floor: busySecondsOf(floor) })
  }
  const warm = turns.slice(turns.length >> 1)
  const [passport, wall, least] = (["passport", "wall", "floor"] as const).map((name) =>
    median(warm.map((turn) => turn[name]))
  ) as [number, number, number]
  return {
    what: `a passport of ${size}, ${readable(1 / wall)} a second one after the other`,
    measured: `${readable(passport * 1000)} ms`,
    against: `${readable(least * 1000)} ms`,
    ratio: passport / least
  } satisfies Figure
})

/** A signature of the manifest and of each statement, and a hash of each enclosed summary. */
const floorOf = ({ manifest, summaries, statuses }: { readonly [member: string]: any }) => {
  const { privateKey } = generateKeyPairSync("ed25519")
  const signed = [manifest, ...statuses].map((jws: string) => Buffer.from(jws.slice(0, jws.lastIndexOf("."))))
  return () => {
    for (const text of signed) sign(null, text, privateKey)
    for (const jws of summaries) hash("sha256", jws)
  }
}
