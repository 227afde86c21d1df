/**
 * Offline verification of whole packages, against its unavoidable cryptography; and of the command as a new process.
 */
import { spawnSync } from "node:child_process"
import { hash, verify, type KeyObject } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { importEd25519, readJws } from "../../src/canonical/jws.ts"
import { canonicalBytes } from "../../src/canonical/jcs.ts"
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
import type { Extent } from "./extent.ts"
import type { Figure, Section } from "./figure.ts"
import { busySecondsOf, inTurns } from "./measure.ts"

/** The number of requested changes before the acceptance: 5, 27 and 97 events. */
const sizes = [0, 11, 46]

export const compareVerification = Effect.fnUntraced(function* (extent: Extent) {
  const { keys } = yield* Signer
  const figures = yield* Effect.forEach(sizes, (rounds) =>
    Effect.map(Effect.all([exportAfter(rounds), now]), ([review, checkedAt]) =>
      compare({ artifact: bytesOf(review), trust: bytesOf(keys), checkedAt }, review, keys, extent)
    )
  )
  const ten = tenSignatures()
  return [
    {
      title: "Verification, against its signature checks, its hashes and one JSON.parse of the artifact",
      figures: [compare(ten.files, ten.review, ten.keys, extent), ...figures]
    },
    {
      title: "The command as a process, against an empty process (node -e 0)",
      figures: [compareProcesses(ten.files, extent)]
    }
  ] satisfies ReadonlyArray<Section>
})

/** Seven events of people, the record, the package and the status. */
const tenSignatures = () => {
  const { review, trust } = makeSample({ event: (event) => void (event["actor"].execution = null) })
  return {
    files: { artifact: bytesOf(review), trust: bytesOf(trust), checkedAt },
    review: review as unknown as Review,
    keys: trust as unknown as IssuerKeys
  }
}

const compareProcesses = ({ artifact, trust, checkedAt }: ResultFiles, { seconds, rounds }: Extent): Figure => {
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
      what: "verify-result, 10 signatures",
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

interface Review {
  readonly record: string
  readonly status: string
}

const compare = (files: ResultFiles, review: Review, keys: IssuerKeys, { seconds, rounds }: Extent): Figure => {
  const { verdict } = verifyResultFiles(files)
  if (verdict !== "VERIFIED_WITH_LIMITATIONS") throw new Error(`the package is ${verdict}`)
  const work = unavoidable(review, keys)
  const artifact = Buffer.from(files.artifact).toString()
  const [whole, least] = inTurns(
    seconds * rounds,
    () => verifyResultFiles(files),
    () => work.run(artifact),
    busySecondsOf
  )
  return {
    what: `${work.events} events, ${work.signatures} signatures, ${Math.round(files.artifact.length / 1000)} kB`,
    measured: milliseconds(whole),
    against: milliseconds(least),
    ratio: whole / least,
    aim: { atMost: 1.5 },
    isRepeatable: true
  }
}

const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(2)} ms`

/** Every signature of the artifact, and every text covered by a digest or a link of a chain. */
const unavoidable = (review: Review, { keys }: IssuerKeys) => {
  const content = payloadOf(review.record)
  const chained: ReadonlyArray<string> = [
    ...content.events,
    ...content.authority.flatMap((chain: { readonly events: ReadonlyArray<string> }) => chain.events)
  ]
  const signed = [review.record, review.status, content.record as string, ...chained].map((jws) => parseJws(jws, keys))
  // A chained event has a digest of the payload and a hash of the event; an enclosed object has a digest.
  const hashed = [
    ...signed.map((one) => one.payload),
    ...chained.map((jws) => parseJws(jws, keys).payload),
    ...[content.agreement, content.submission, content.review].map((object) => canonicalBytes(object))
  ]
  const run = (artifact: string): void => {
    for (const { input, key, signature } of signed) {
      if (!verify(null, input, key, signature)) throw new Error("a signature of this installation does not verify")
    }
    for (const bytes of hashed) hash("sha256", bytes)
    JSON.parse(artifact)
  }
  return { run, events: content.events.length as number, signatures: signed.length }
}

interface ParsedJws {
  readonly input: Uint8Array
  readonly payload: Uint8Array
  readonly signature: Uint8Array
  readonly key: KeyObject
}

const parseJws = (jws: string, keys: IssuerKeys["keys"]): ParsedJws => {
  const read = readJws(jws)
  if (!read.ok) throw new Error(read.code)
  const imported = importEd25519(keys.find(({ kid }) => kid === read.header.kid)?.jwk)
  if (!imported.ok) throw new Error(imported.code)
  const { signingInput, payload, signature } = read
  return { input: Buffer.from(signingInput), payload, signature, key: imported.key }
}

const payloadOf = (jws: string) => JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString())

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
