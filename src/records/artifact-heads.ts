/** The heads of projects that an exported artifact shows: a package, record, status, closure, webhook body or view. Pure. */
import { chainHash } from "../canonical/chain.ts"
import { readJson, type Json } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import type { IssuerKeys, KeyPurpose } from "../ports/signer.ts"
import type { KnownHead } from "../projects/known-heads.ts"
import { limits } from "../vocabulary/limits.ts"
import { isOwnSignature } from "./own-signature.ts"

export interface ArtifactHead extends KnownHead {
  readonly source: "SIGNED" | "UNSIGNED"
}

/** Every head, with the signature around it: of our own keys, or none that counts. */
export const headsIn = (artifact: Json, keys: IssuerKeys): ReadonlyArray<ArtifactHead> => {
  const heads: Array<ArtifactHead> = []
  visit(artifact, "UNSIGNED", jwsDepth)
  return heads

  function visit(value: Json, source: ArtifactHead["source"], depth: number): void {
    if (typeof value === "string") return openJws(value, depth)
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) return value.forEach((item) => visit(item, source, depth))
    const object = value as Members
    const head = headOf(object)
    if (head !== undefined) heads.push({ ...head, source })
    for (const member of Object.values(object)) visit(member, source, depth)
  }

  function openJws(text: string, depth: number): void {
    const reading = depth === 0 ? undefined : readJws(text)
    const purpose = reading?.ok === true ? purposes.get(reading.header.typ) : undefined
    if (reading?.ok !== true || purpose === undefined) return
    const schema = reading.header.typ
    const payload = parsePayload(reading.payload)
    if (payload === undefined) return
    visit(payload, isOwnSignature(text, { schema, purpose }, keys) ? "SIGNED" : "UNSIGNED", depth - 1)
  }
}

/** The newest head of each project and source; two of one sequence with different hashes are both named. */
export const newestHeads = (heads: ReadonlyArray<ArtifactHead>): ReadonlyArray<ArtifactHead> => {
  const newest = new Map<string, number>()
  const keyOf = ({ projectId, source }: ArtifactHead) => `${projectId} ${source}`
  for (const head of heads) {
    newest.set(keyOf(head), Math.max(newest.get(keyOf(head)) ?? 0, head.sequence ?? 0))
  }
  const found = new Map(
    heads
      .filter((head) => head.sequence === null || head.sequence === newest.get(keyOf(head)))
      .map((head) => [`${keyOf(head)} ${head.sequence} ${head.eventHash}`, head])
  )
  return [...found.values()]
}

/** A package holds events; nothing that is signed holds a package in a signed part. */
const jwsDepth = 3

type Members = { readonly [member: string]: Json }
type Head = Omit<ArtifactHead, "source">

const purposes: ReadonlyMap<string, KeyPurpose> = new Map([
  ["service.project-event/v1", "EVENT"],
  ["service.history-gap/v1", "EVENT"],
  ["service.result-record/v1", "RECORD"],
  ["service.result-package/v2", "PACKAGE"],
  ["service.agent-status/v1", "STATUS"],
  ["service.agreement-snapshot/v1", "CLOSURE"]
])

const headOf = (value: Members): Head | undefined => {
  const { schema, projectId, sequence, headEventHash, head } = value
  switch (schema) {
    case "service.project-event/v1":
      return headFrom(projectId, sequence, chainHash(value))
    // A record counts events, which after lost ones is not the number of the last.
    case "service.result-record/v1":
      return isObject(head) ? headFrom(projectId, null, head["eventHash"]) : undefined
    case "service.history-gap/v1":
      return isObject(value["lost"])
        ? headFrom(projectId, value["lost"]["sequence"], value["lost"]["eventHash"])
        : undefined
    case "service.agreement-snapshot/v1":
      return isObject(head) && isObject(value["agreement"])
        ? headFrom(value["agreement"]["projectId"], head["count"], head["eventHash"])
        : undefined
    case "service.agent-status/v1":
      return headFrom(projectId, null, headEventHash)
  }
  // The body of a webhook, and the view of a project with its last event.
  if (sequence !== undefined && headEventHash !== undefined) return headFrom(projectId, sequence, headEventHash)
  const events = value["events"]
  const last = Array.isArray(events) ? events.at(-1) : undefined
  return isObject(last) && last["hash"] === headEventHash
    ? headFrom(value["taskId"], last["sequence"], headEventHash)
    : undefined
}

const headFrom = (
  projectId: Json | undefined,
  sequence: Json | undefined,
  eventHash: Json | undefined
): Head | undefined =>
  typeof projectId === "string" &&
  projectForm.test(projectId) &&
  typeof eventHash === "string" &&
  digestForm.test(eventHash) &&
  (sequence === null || (Number.isSafeInteger(sequence) && (sequence as number) >= 1))
    ? { projectId, sequence: sequence as number | null, eventHash }
    : undefined

const projectForm = /^delivery_[a-f0-9-]{36}$/
const digestForm = /^[0-9a-f]{64}$/

const isObject = (value: Json | undefined): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsePayload = (bytes: Uint8Array): Json | undefined => {
  const { knownHeadsFileBytes: bytesMax, jsonDepth: depthMax, jsonValues: valuesMax } = limits
  const parsed = readJson(bytes, { bytesMax, depthMax, valuesMax, refusesNul: true })
  return parsed.ok ? parsed.value : undefined
}
