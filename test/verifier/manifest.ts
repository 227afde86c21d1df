/** The manifest of a package, as docs/records.md specifies it. */
import { jcs, type Members, sha256 } from "./signing.ts"

interface Hashed {
  readonly jws: string
  readonly hash: string
}

export const manifestOf = (
  content: Members,
  authority: ReadonlyArray<Hashed>,
  events: ReadonlyArray<Hashed>,
  recordId: string
): ReadonlyArray<Members> => [
  entry(content["agreement"].projectId, "agreement", jcs(content["agreement"])),
  ...events.map((event) => entry(event.hash, "event", payloadText(event.jws))),
  ...(content["gaps"] ?? []).map((jws: string) =>
    entry(JSON.parse(payloadText(jws)).epoch, "history-gap", payloadText(jws))
  ),
  entry(content["submission"].submissionId, "submission", jcs(content["submission"])),
  entry(content["review"].reviewId, "review", jcs(content["review"])),
  entry(recordId, "record", payloadText(content["record"])),
  ...authority.map((event) => entry(event.hash, "authority-event", payloadText(event.jws)))
]

const entry = (id: string, kind: string, text: string): Members => ({
  id,
  kind,
  digest: sha256(text),
  bytes: Buffer.byteLength(text)
})

const payloadText = (jws: string): string => Buffer.from(jws.split(".")[1] ?? "", "base64url").toString()
