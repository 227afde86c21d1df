/** Verifies files of the browser by the functions of `verify-result`, each read as its command line reads it. */
import { verifierLimits } from "../../verifier/verifier-limits.ts"
import { verifyResultFiles } from "../../verifier/verify.ts"
import type { Report } from "../../verifier/report.ts"

export interface ChosenFiles {
  readonly artifact: File
  readonly keys: File
  /** A UTC instant with three fraction digits; another text is refused by the report. */
  readonly checkedAt: string
  readonly status: File | undefined
  readonly authority: File | undefined
}

/** Rejects where a file cannot be read. */
export const verifyFiles = async (chosen: ChosenFiles): Promise<Report> => {
  const { artifact, keys, checkedAt, status, authority } = chosen
  return verifyResultFiles({
    artifact: await bytesOf(artifact, verifierLimits.artifactBytesMax),
    trust: await bytesOf(keys, verifierLimits.trustBytesMax),
    checkedAt,
    status: status && (await bytesOf(status, verifierLimits.portableBytesMax)),
    authority: authority && (await bytesOf(authority, verifierLimits.authorityBytesMax))
  })
}

/** One byte more than the limit at most, by which the report knows that a file is too large. */
const bytesOf = async (file: File, bytesMax: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, bytesMax + 1).arrayBuffer())
