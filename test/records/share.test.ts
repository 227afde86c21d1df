import { assert, it } from "vitest"
import type { Project } from "../../src/projects/project.ts"
import { states } from "../../src/projects/project.ts"
import { sharingGuard } from "../../src/records/share.ts"
import type { ShareRow } from "../../src/records/store.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const termsPolicy = { sharingRecipients: ["The bank", "The tax office"] }
const issued = {
  state: "BUYER_CONFIRMED",
  recordId: "record_1",
  agreement: { terms: { termsPolicy } }
} as unknown as Project

const input = { projectId: "delivery_1", recipient: "The bank", recipientActorId: "person_eve" }
const sharedBy = "person_dana"
const share = {
  ...input,
  shareId: "share_1",
  side: "BUYER",
  sharedBy: "person_dana",
  sharedAt: "2026-01-01T00:00:00.000Z" as Instant,
  openingCount: 0,
  revokedBy: null,
  revokedAt: null
} satisfies ShareRow
const revoked = { ...share, revokedBy: "person_dana", revokedAt: "2026-01-02T00:00:00.000Z" as Instant }
const count = (share: ShareRow, length: number) =>
  Array.from({ length }, (_, index) => ({ ...share, shareId: `share_${index}`, recipientActorId: `person_${index}` }))

it.each([
  ["an issued record with a named recipient", issued, input, [], undefined],
  ["before the record is issued", { ...issued, recordId: null }, input, [], "RESULT_NOT_ISSUED"],
  [
    "with a recipient whom the terms do not name",
    issued,
    { ...input, recipient: "The press" },
    [],
    "RECIPIENT_NOT_NAMED"
  ],
  ["with a name that is only a part of one", issued, { ...input, recipient: "bank" }, [], "RECIPIENT_NOT_NAMED"],
  ["with the person who shares it", issued, { ...input, recipientActorId: sharedBy }, [], "SAME_PARTY"],
  ["twice with one person for one recipient", issued, input, [share], "ALREADY_EXISTS"],
  ["again once the first share is revoked", issued, input, [revoked], undefined],
  ["with one person for another recipient", issued, input, [{ ...share, recipient: "The tax office" }], undefined],
  ["with another person for the recipient", issued, input, [{ ...share, recipientActorId: "person_max" }], undefined],
  ["at one below the limit", issued, input, count(share, limits.sharesPerSide - 1), undefined],
  ["at the limit, which counts revoked shares", issued, input, count(revoked, limits.sharesPerSide), "SHARE_LIMIT"]
] as const)("The result of sharing %s is as listed.", (_, project, input, earlier, code) => {
  assert.strictEqual(sharingGuard(project as Project, { ...input, sharedBy }, earlier)?.code, code)
})

it.each(states)("In %s a record can be shared only if its confirmation is current.", (state) => {
  const code = state === "BUYER_CONFIRMED" ? undefined : "STATE_CONFLICT"
  assert.strictEqual(sharingGuard({ ...issued, state }, { ...input, sharedBy }, [])?.code, code)
})
