/** The life whose files are flipped, and what may still verify of them. */
import type { Report } from "../../src/verifier/report.ts"
import { type Forgery, makeSample } from "./sample.ts"
import { digest, type Members } from "./signing.ts"
import { stated } from "./flips.ts"

/** People alone, and one submission: as short as a whole package can be. */
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

export const plainLife = makeSample(peopleAlone)

/** The signed package, the keys and the status that travel with it, the white space, and the rest. */
export const partOfReview = (part: string): string => {
  const [first] = part.split(".")
  return part === "white space" || first === "record" || first === "trust" || first === "status" ? first! : "envelope"
}

const harmless = ["trust", "status", "white space"]

export const wrongInReview =
  (original: Report) =>
  (verified: Report, part: string): string | undefined => {
    if (!harmless.includes(part)) return "it verifies"
    if (stated(verified) !== stated(original)) return "another record verifies"
    if (verified.artifact.sha256 === original.artifact.sha256) return "the report names the same file"
    if (part !== "status") return undefined
    return verified.currentStatus.outcome === "PROVEN" ? "a changed status is proven" : undefined
  }

/**
 * Of a key file: instants that still cover what was signed; whatever else a key has that signed nothing of the history;
 * the white space. Of a validity the report repeats whether it has ended, and nothing else.
 */
const immaterialInKeys =
  /^(?:white space|keys\.\d\.(?:validFrom|validUntil)|keys\.(?:1|4)\.(?:kid|jwk\.x|purposes\.0))$/

export const wrongInKeys =
  (original: Report) =>
  (verified: Report, part: string): string | undefined => {
    if (!immaterialInKeys.test(part)) return "it verifies"
    if (JSON.stringify(verified.record) !== JSON.stringify(original.record)) return "another record verifies"
    if (verified.trust.sha256 === original.trust.sha256) return "the report names the same key file"
    return part.startsWith("keys.4.") && !part.includes("valid") && verified.currentStatus.outcome === "PROVEN"
      ? "a status of another key is proven"
      : undefined
  }

/** Of a policy: instants between which every agent still acted, and the white space. */
export const wrongInPolicy =
  (original: Report) =>
  (verified: Report, part: string): string | undefined => {
    if (!/^(?:white space|authorityAnchors\.\d\.valid(?:From|Until))$/.test(part)) return "it verifies"
    if (JSON.stringify(verified.record) !== JSON.stringify(original.record)) return "another record verifies"
    const { policy } = verified.recordedAuthority
    if (policy.outcome !== "HELD") return `the policy is ${policy.outcome}`
    return policy.sha256 === original.recordedAuthority.policy.sha256 ? "the report names the same policy" : undefined
  }
