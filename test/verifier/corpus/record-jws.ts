/** The record of the brief result, signed again after any change: what one signature and its key can go wrong in. */
import type { KeyObject } from "node:crypto"
import { jcs, keys, kid, type Members, signBytes } from "../signing.ts"
import { payloadOf } from "./bases.ts"
import { briefSample } from "./brief.ts"
import type { Making } from "./making.ts"

export const record: Members = payloadOf(briefSample().record)

/** The header of a record's signature, with these members changed or added. */
export const headerOf = (changes: Members = {}): Members => ({
  alg: "EdDSA",
  kid: kid("RECORD"),
  typ: "service.result-record/v1",
  ...changes
})

interface Parts {
  /** Members that are written canonically, or the exact text. */
  readonly header?: Members | string
  readonly payload?: Members | string | Uint8Array
  readonly key?: KeyObject
}

/** A record's JWS from these parts, properly signed over exactly these bytes. */
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

/** That JWS as the artifact, alone in its file. */
export const recordOf = (parts: Parts = {}): Making => ({ artifact: () => recordJws(parts) })

/** Another text in the place of one of the three segments. */
export const segmentChanged = (jws: string, place: 0 | 1 | 2, change: (segment: string) => string): string =>
  jws
    .split(".")
    .map((segment, index) => (index === place ? change(segment) : segment))
    .join(".")
