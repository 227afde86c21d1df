import { assert, it } from "vitest"
import type { Project } from "../../src/projects/project.ts"
import { states } from "../../src/projects/project.ts"
import { sharingObstacle } from "../../src/records/share.ts"
import type { ShareRow } from "../../src/records/store.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const termsPolicy = { sharingRecipients: ["The bank", "The tax office"] }
const issued = {
  state: "BUYER_CONFIRMED",
  recordId: "record_1",
  agreement: { terms: { termsPolicy } }
} as unknown as Project

const wish = { projectId: "delivery_1", recipient: "The bank", recipientActorId: "person_eve" }
const sharedBy = "person_dana"
const made = {
  ...wish,
  shareId: "share_1",
  side: "BUYER",
  sharedBy: "person_dana",
  sharedAt: "2026-01-01T00:00:00.000Z" as Instant,
  openingCount: 0,
  revokedBy: null,
  revokedAt: null
} satisfies ShareRow
const revoked = { ...made, revokedBy: "person_dana", revokedAt: "2026-01-02T00:00:00.000Z" as Instant }
const count = (share: ShareRow, length: number) =>
  Array.from({ length }, (_, index) => ({ ...share, shareId: `share_${index}`, recipientActorId: `person_${index}` }))

it.each([
  ["a record that is issued, to a recipient that is named", issued, wish, [], undefined],
  ["before the record is issued", { ...issued, recordId: null }, wish, [], "RESULT_NOT_ISSUED"],
  [
    "with a recipient whom the terms do not name",
    issued,
    { ...wish, recipient: "The press" },
    [],
    "RECIPIENT_NOT_NAMED"
  ],
  ["with a name that is only a part of one", issued, { ...wish, recipient: "bank" }, [], "RECIPIENT_NOT_NAMED"],
  ["with whoever shares it", issued, { ...wish, recipientActorId: sharedBy }, [], "SAME_PARTY"],
  ["twice with one person for one recipient", issued, wish, [made], "ALREADY_EXISTS"],
  ["again once the first share is revoked", issued, wish, [revoked], undefined],
  ["with one person for another recipient", issued, wish, [{ ...made, recipient: "The tax office" }], undefined],
  ["with another person for the recipient", issued, wish, [{ ...made, recipientActorId: "person_max" }], undefined],
  ["for the last time", issued, wish, count(made, limits.sharesPerSide - 1), undefined],
  ["once too often, revoked ones too", issued, wish, count(revoked, limits.sharesPerSide), "SHARE_LIMIT"]
] as const)("sharing %s", (_, project, input, earlier, code) => {
  assert.strictEqual(sharingObstacle(project as Project, { ...input, sharedBy }, earlier)?.code, code)
})

it.each(states)("a record is shared while its confirmation stands, not in %s otherwise", (state) => {
  const code = state === "BUYER_CONFIRMED" ? undefined : "STATE_CONFLICT"
  assert.strictEqual(sharingObstacle({ ...issued, state }, { ...wish, sharedBy }, [])?.code, code)
})
