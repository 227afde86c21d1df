/**
 * Offline verification of whole packages, of a passport, of payments and of a closure, against its unavoidable
 * cryptography; the command as a new process; and the bytes of its one file.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { Signer, type IssuerKeys } from "../../src/ports/signer.ts"
import { verifyResultFiles, type ResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import {
  sendCommand,
  readProject,
  reviewOf,
  startProject,
  submissionFor,
  runToSubmitted,
  uuid
} from "../support/parties.ts"
import { send } from "../support/service.ts"
import { buildVerifier } from "../verifier/build-verifier.ts"
import { checkedAt, makeSample } from "../verifier/sample.ts"
import { makeClosure } from "../verifier/sample-closure.ts"
import { charge, makeCommerceRecord, observed, payment } from "../verifier/sample-commerce.ts"
import { makePassport } from "../verifier/sample-passport.ts"
import { manyRounds } from "../verifier/sample-rounds.ts"
import type { Extent } from "./extent.ts"
import type { Figure, Section } from "./figure.ts"
import { busySecondsOf, inTurns } from "./measure.ts"
import { closureWork, commerceWork, packageWork, passportWork, type Review, type Work } from "./unavoidable.ts"
import { renderVerifierBytes } from "./verifier-bytes.ts"

/** The number of requested changes before the acceptance: 5, 27 and 97 events. */
const sizes = [0, 11, 46]

export const compareVerification = Effect.fnUntraced(function* (extent: Extent) {
  const { keys } = yield* Signer
  const figures = yield* Effect.forEach(sizes, (rounds) =>
    Effect.map(Effect.all([exportAfter(rounds), now]), ([review, checkedAt]) =>
      compare({ artifact: bytesOf(review), trust: bytesOf(keys), checkedAt }, packageWork(review, keys), extent)
    )
  )
  const bytes = yield* Effect.promise(renderVerifierBytes)
  const ten = tenSignatures()
  const twenty = passportOfTwenty()
  const hundred = closureOfHundred()
  const payments = paymentEntries.map(({ entries, atMost }) => {
    const { files, work } = paymentOf(entries)
    return compare(files, work, extent, atMost)
  })
  return [
    {
      title: "Verification, against its signature checks, its hashes and one JSON.parse of the artifact",
      figures: [
        compare(ten.files, ten.work, extent),
        ...figures,
        compare(twenty.files, twenty.work, extent),
        ...payments,
        compare(hundred.files, hundred.work, extent)
      ]
    },
    {
      title: "The command as a process, against an empty process (node -e 0)",
      figures: [
        compareProcesses("verify-result, 10 signatures", ten.files, extent),
        compareProcesses("verify-result, a passport of 20", twenty.files, extent),
        compareProcesses("verify-result, a closure with its history", closureWithHistory(), extent)
      ],
      notes: [bytes]
    }
  ] satisfies ReadonlyArray<Section>
})

/** Seven events of people, the record, the package and the status. */
const tenSignatures = () => {
  const { review, trust } = makeSample({ event: (event) => void (event["actor"].execution = null) })
  return {
    files: { artifact: bytesOf(review), trust: bytesOf(trust), checkedAt },
    work: packageWork(review as unknown as Review, trust as unknown as IssuerKeys)
  }
}

/** Twenty summaries with a text of a paragraph each, and as many statements. */
const passportOfTwenty = () => {
  const paragraph = "Text and table in German and English, with every figure from its named source. ".repeat(6)
  const { file, trust } = makePassport({ count: 20, summary: (one) => void (one["summary"] = paragraph) })
  return {
    files: { artifact: bytesOf(file), trust: bytesOf(trust), checkedAt },
    work: passportWork(file, trust as unknown as IssuerKeys)
  }
}

/** The entries of a Commerce Record, which has one signature, with the aim of each. */
const paymentEntries = [
  { entries: 100, atMost: 1.5 },
  { entries: 1_000, atMost: 3 }
]

/** Observations of which each states a further cent as refunded. */
const refundedByCents = (entries: number) =>
  Array.from({ length: entries }, (_, at) =>
    observed(at, "PAYMENT", payment({ charge: charge({ amountRefundedMinor: at }) }), "PROVIDER_VERIFIED_PAYMENT")
  )

/** A payment of which each entry states a further cent as refunded. */
const paymentOf = (entries: number) => {
  const { file, trust } = makeCommerceRecord({ observations: () => refundedByCents(entries) })
  return {
    files: { artifact: bytesOf(file), trust: bytesOf(trust), checkedAt },
    work: commerceWork(file, trust as unknown as IssuerKeys)
  }
}

/** The delivery was accepted after 47 rounds, by people, and then paid. */
const closureOfHundred = () => {
  const { file, trust } = makeClosure({
    result: manyRounds(47),
    payment: { observations: () => refundedByCents(100) }
  })
  return {
    files: { artifact: bytesOf(file), trust: bytesOf(trust), checkedAt },
    work: closureWork(file, trust as unknown as IssuerKeys)
  }
}

const closureWithHistory = (): ResultFiles => {
  const { file, trust } = makeClosure({ lineage: {} })
  return { artifact: bytesOf(file), trust: bytesOf(trust), checkedAt }
}

const compareProcesses = (
  what: string,
  { artifact, trust, checkedAt }: ResultFiles,
  { seconds, rounds }: Extent
): Figure => {
  const folder = mkdtempSync(join(tmpdir(), "bench-verifier-"))
  try {
    const [program, ...paths] = ["verify-result.mjs", "artifact.json", "keys.json"].map((name) => join(folder, name))
    buildVerifier(program!)
    for (const [at, bytes] of [artifact, trust].entries()) writeFileSync(paths[at]!, bytes)
    const run = (words: ReadonlyArray<string>) => {
      const { status } = spawnSync(process.execPath, words, { stdio: "ignore" })
      if (status !== 0) throw new Error(`${words[0]} ended with ${status}`)
    }
    const [whole, nothing] = inTurns(
      seconds * rounds,
      () => run([program!, ...paths, checkedAt]),
      () => run(["-e", "0"])
    )
    return {
      what,
      measured: milliseconds(whole),
      against: milliseconds(nothing),
      ratio: whole / nothing
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The buyer's export of a project that was accepted after that many rounds. */
const exportAfter = Effect.fnUntraced(function* (rounds: number) {
  const started = yield* startProject()
  const { buyerAgent, supplierAgent, projectId } = started
  let view = yield* runToSubmitted(started)
  for (let round = 0; round < rounds; round++) {
    yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
    const asked = yield* readProject(supplierAgent.token, projectId)
    yield* sendCommand(supplierAgent.token, projectId, "submit", submissionFor(asked))
    view = yield* readProject(buyerAgent.token, projectId)
  }
  yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "ACCEPT"))
  const { project } = yield* readProject(buyerAgent.token, projectId)
  const { status, body } = yield* send("POST", `/api/agents/v1/projects/${projectId}/exports/result-package`, {
    token: buyerAgent.token,
    body: {
      expectedAgreementDigest: project.agreement.digest,
      expectedEventHash: project.headEventHash,
      nonce: uuid()
    }
  })
  if (status !== 200) throw new Error(`the package was not exported: ${JSON.stringify(body)}`)
  return body as Review
})

const compare = (files: ResultFiles, work: Work, { seconds, rounds }: Extent, atMost = 1.5): Figure => {
  const { verdict } = verifyResultFiles(files)
  if (verdict !== "VERIFIED_WITH_LIMITATIONS") throw new Error(`the artifact is ${verdict}`)
  const artifact = Buffer.from(files.artifact).toString()
  const [whole, least] = inTurns(
    seconds * rounds,
    () => verifyResultFiles(files),
    () => work.run(artifact),
    busySecondsOf
  )
  return {
    what: `${work.what}, ${counted(work.signatures, "signature")}, ${Math.round(files.artifact.length / 1000)} kB`,
    measured: milliseconds(whole),
    against: milliseconds(least),
    ratio: whole / least,
    aim: { atMost },
    isRepeatable: true
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(2)} ms`
