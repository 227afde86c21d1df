/**
 * A million mutations of the verifier's inputs, and every bit flip of each of its files: it never throws, and accepts
 * no changed input. `MUTATIONS` and `FROM` choose other mutations; `MUTATIONS=0` runs the bit flips only.
 */
import { Console, Effect } from "effect"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import {
  partOfReview,
  bitFlipSample,
  keysViolation,
  policyViolation,
  reviewViolation
} from "../verifier/bit-flip-sample.ts"
import { flipClosure, flippedClosure } from "../verifier/bit-flip-closure.ts"
import { flipCommerce, flippedCommerce } from "../verifier/bit-flip-commerce.ts"
import { flippedPassport, flipPassport, flipStatuses } from "../verifier/bit-flip-passport.ts"
import { everyBitOf, flipEach, partsOf, type Tally } from "../verifier/bit-flips.ts"
import { checkReport } from "../verifier/mutations/oracle.ts"
import { mutationAt } from "../verifier/mutations/mutation.ts"
import { checkedAt, makeSample } from "../verifier/sample.ts"
import { policyFor } from "../verifier/policy.ts"

const count = Number(process.env["MUTATIONS"] ?? 1_000_000)
const from = Number(process.env["FROM"] ?? 0)

export const verifier = Effect.gen(function* () {
  const wrong: Array<string> = []
  for (const flip of [
    flipReview,
    flipKeys,
    flipStatus,
    flipPolicy,
    flipWholePassport,
    flipWholeStatuses,
    flipPayment,
    flipTransaction
  ]) {
    const { what, tallies, wrong: found } = flip()
    yield* Console.log(`every bit of every byte of ${what}\n${rows(tallies)}`)
    wrong.push(...found)
  }
  if (count > 0) wrong.push(...(yield* mutate))
  return wrong
})

const rows = (tallies: { readonly [part: string]: Tally }): string =>
  Object.entries(tallies)
    .map(([part, { flips, verified }]) => `  ${part.padEnd(28)} ${padded(flips)} flips, ${padded(verified)} verified`)
    .join("\n")

const padded = (value: number): string => value.toLocaleString("en").padStart(9)

const agents = makeSample()
const compact = (value: unknown): Uint8Array => Buffer.from(typeof value === "string" ? value : JSON.stringify(value))
const agentsFiles = { artifact: compact(agents.review), trust: compact(agents.trust), checkedAt }
const plainFiles = { artifact: compact(bitFlipSample.review), trust: compact(bitFlipSample.trust), checkedAt }

const allBits = (bytes: Uint8Array) => everyBitOf(Array.from(bytes.keys()))

const flipReview = () => {
  const parts = partsOf(JSON.stringify(agents.review)).map(partOfReview)
  const verify = (artifact: Uint8Array) => verifyResultFiles({ ...agentsFiles, artifact })
  const { artifact } = agentsFiles
  const wrongIn = reviewViolation(verify(artifact))
  return { what: "the artifact", ...flipEach(artifact, allBits(artifact), (place) => parts[place]!, verify, wrongIn) }
}

const flipKeys = () => {
  const text = JSON.stringify(bitFlipSample.trust, null, "\t")
  const parts = partsOf(text)
  const verify = (trust: Uint8Array) => verifyResultFiles({ ...plainFiles, trust })
  const bytes = compact(text)
  const wrongIn = keysViolation(verify(bytes))
  return { what: "the keys", ...flipEach(bytes, allBits(bytes), (place) => parts[place]!, verify, wrongIn) }
}

const flipStatus = () => {
  const verify = (status: Uint8Array) => verifyResultFiles({ ...plainFiles, status })
  const bytes = compact(bitFlipSample.status)
  const wrongIn = ({ currentStatus }: ReturnType<typeof verify>) =>
    currentStatus.outcome === "PROVEN" ? "a changed status is proven" : undefined
  return { what: "the status", ...flipEach(bytes, allBits(bytes), () => "status", verify, wrongIn) }
}

const flipPolicy = () => {
  const text = JSON.stringify(policyFor(agents.package), null, "\t")
  const parts = partsOf(text)
  const verify = (authority: Uint8Array) => verifyResultFiles({ ...agentsFiles, authority })
  const bytes = compact(text)
  const wrongIn = policyViolation(verify(bytes))
  return { what: "the policy", ...flipEach(bytes, allBits(bytes), (place) => parts[place]!, verify, wrongIn) }
}

const flipWholePassport = () => {
  const text = JSON.stringify(flippedPassport.file)
  return { what: "a passport", ...flipPassport(text, (parts) => everyBitOf(Array.from(parts.keys()))) }
}

const flipWholeStatuses = () => ({
  what: "the status file of a passport",
  ...flipStatuses((length) => everyBitOf(Array.from({ length }, (_, place) => place)))
})

const flipPayment = () => {
  const text = JSON.stringify(flippedCommerce.file)
  return { what: "a Commerce Record", ...flipCommerce(text, (parts) => everyBitOf(Array.from(parts.keys()))) }
}

const flipTransaction = () => {
  const text = JSON.stringify(flippedClosure.file)
  return { what: "a closure", ...flipClosure(text, (parts) => everyBitOf(Array.from(parts.keys()))) }
}

const mutate = Effect.gen(function* () {
  const tallies = { kind: new Map<string, number>(), "first code": new Map(), verdict: new Map() }
  const wrong: Array<string> = []
  const began = performance.now()
  for (let number = from; number < from + count; number++) {
    const mutation = mutationAt(number)
    const judged = checkReport(mutation)
    add(tallies.kind, mutation.kind)
    add(tallies["first code"], judged.firstCode)
    add(tallies.verdict, judged.verdict)
    wrong.push(...judged.violations.map((what) => `mutation ${number} (${mutation.kind}): ${what}`))
    if ((number + 1) % 50_000 === 0)
      yield* Console.log(`  ${padded(number + 1 - from)} mutations, ${wrong.length} wrong`)
  }
  const perSecond = (1000 * count) / (performance.now() - began)
  yield* Console.log(
    `mutations ${from} to ${from + count - 1}: ${perSecond.toFixed(0)} a second, ${tallies.verdict.get("THROWN") ?? 0} throws`
  )
  for (const [what, counts] of Object.entries(tallies)) {
    const sorted = [...counts].sort(([, one], [, other]) => other - one)
    yield* Console.log(`by ${what}\n${sorted.map(([name, times]) => `  ${padded(times)}  ${name}`).join("\n")}`)
  }
  return wrong
})

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
