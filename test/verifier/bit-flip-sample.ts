/** The sample for the bit flips, and the parts of its files in which a flip may go undetected. */
import type { Report } from "../../src/verifier/report.ts"
import { type Forgery, makeSample } from "./sample.ts"
import { digest, type Members } from "./signing.ts"
import { statementsOf } from "./bit-flips.ts"

/** No agents and one submission: the shortest possible package. */
const peopleAlone: Forgery = {
  history: ([create, respond, submit, , , accept]) => {
    const { submissionId, items } = submit!["payload"]
    Object.assign(accept!["payload"], {
      submissionId,
      submissionDigest: digest(submit!["payload"]),
      checkedFiles: items.flatMap((item: Members) =>
        item["files"].map(({ name, sha256 }: Members) => ({ criterionId: item["criterionId"], name, sha256 }))
      )
    })
    return [create, respond, submit, accept]
  },
  event: (event) => void (event["actor"] = { ...event["actor"], execution: null })
}

export const bitFlipSample = makeSample(peopleAlone)

/** The signed package, the enclosed keys and status, the white space, and the rest. */
export const partOfReview = (part: string): string => {
  const [first] = part.split(".")
  return part === "white space" || first === "record" || first === "trust" || first === "status" ? first! : "envelope"
}

const harmless = ["trust", "status", "white space"]

export const reviewViolation =
  (original: Report) =>
  (verified: Report, part: string): string | undefined => {
    if (!harmless.includes(part)) return "it verifies"
    if (statementsOf(verified) !== statementsOf(original)) return "another record verifies"
    if (verified.artifact.sha256 === original.artifact.sha256) return "the report names the same file"
    if (part !== "status") return undefined
    return verified.currentStatus.outcome === "PROVEN" ? "a changed status is proven" : undefined
  }

/**
 * Undetected flips in a key file: instants that still cover every signature, members of keys that signed no part of the
 * history, and white space. Of a validity, the report states only whether it has ended.
 */
const immaterialInKeys =
  /^(?:white space|keys\.\d\.(?:validFrom|validUntil)|keys\.(?:1|4)\.(?:kid|jwk\.x|purposes\.0))$/

export const keysViolation =
  (original: Report) =>
  (verified: Report, part: string): string | undefined => {
    if (!immaterialInKeys.test(part)) return "it verifies"
    if (JSON.stringify(verified.record) !== JSON.stringify(original.record)) return "another record verifies"
    if (verified.trust.sha256 === original.trust.sha256) return "the report names the same key file"
    return part.startsWith("keys.4.") && !part.includes("valid") && verified.currentStatus.outcome === "PROVEN"
      ? "a status of another key is proven"
      : undefined
  }

/** Undetected flips in a policy: instants that still cover every act of an agent, and white space. */
export const policyViolation =
  (original: Report) =>
  (verified: Report, part: string): string | undefined => {
    if (!/^(?:white space|authorityAnchors\.\d\.valid(?:From|Until))$/.test(part)) return "it verifies"
    if (JSON.stringify(verified.record) !== JSON.stringify(original.record)) return "another record verifies"
    const { policy } = verified.recordedAuthority
    if (policy.outcome !== "HELD") return `the policy is ${policy.outcome}`
    return policy.sha256 === original.recordedAuthority.policy.sha256 ? "the report names the same policy" : undefined
  }
