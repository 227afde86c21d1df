/** The record of the brief result, signed again after an edit: for cases on one signature and its key. */
import type { KeyObject } from "node:crypto"
import { jcs, keys, kid, type Members, signBytes } from "../signing.ts"
import { payloadOf } from "./samples.ts"
import { briefSample } from "./brief-sample.ts"
import type { CaseInputs } from "./case-builders.ts"

export const record: Members = payloadOf(briefSample().record)

/** The header of a record's signature, with these members changed or added. */
export const headerOf = (changes: Members = {}): Members => ({
  alg: "EdDSA",
  kid: kid("RECORD"),
  typ: "service.result-record/v1",
  ...changes
})

interface Parts {
  /** Members, which are serialized canonically, or the exact text. */
  readonly header?: Members | string
  readonly payload?: Members | string | Uint8Array
  readonly key?: KeyObject
}

/** A record's JWS from these parts, with a valid signature over exactly these bytes. */
export const recordJws = ({
  header = headerOf(),
  payload = record,
  key = keys.RECORD.privateKey
}: Parts = {}): string =>
  signBytes(
    typeof header === "string" ? header : jcs(header),
    typeof payload === "string" || payload instanceof Uint8Array ? payload : jcs(payload),
    key
  )

/** The JWS as the artifact. */
export const recordOf = (parts: Parts = {}): CaseInputs => ({ artifact: () => recordJws(parts) })

/** Replaces one of the three segments. */
export const segmentChanged = (jws: string, place: 0 | 1 | 2, change: (segment: string) => string): string =>
  jws
    .split(".")
    .map((segment, index) => (index === place ? change(segment) : segment))
    .join(".")
