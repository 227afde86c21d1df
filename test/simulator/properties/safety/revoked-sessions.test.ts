/** `acknowledged revocation is effective` without a grant: sessions of people, and assistants for one task. */
import { assert, describe, it } from "@effect/vitest"
import { Drafts } from "../../../../src/drafts/store.ts"
import {
  ParticipationCredentials,
  ParticipationItems,
  ParticipationNotes
} from "../../../../src/participation/store.ts"
import { Sessions } from "../../../../src/people/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { acknowledgedRevocationIsEffective } from "../../../../simulator/properties/safety/acknowledged-revocation-is-effective.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const itemId = "item_1"
const session = put(Sessions, {
  sessionId: "session_1",
  personId: "person_ines",
  tokenHash: tokenHash("session of ines")
})
const other = put(Sessions, { sessionId: "session_2", personId: "person_ines", tokenHash: tokenHash("another") })
const credentialOf = (token: string) =>
  put(ParticipationCredentials, {
    tokenHash: tokenHash(token),
    itemId,
    personId: "person_ines",
    sessionId: "session_1"
  })
const item = (credentialHash: string | null) => put(ParticipationItems, { itemId, credentialHash })

const world = () =>
  new SyntheticRun(acknowledgedRevocationIsEffective)
    .person("ines", "person_ines")
    .agent("quill", "", "helper 1")
    .holds(session, other, credentialOf("helper 1"), item(tokenHash("helper 1")))

const asksForADraft = (seen: SyntheticRun) => seen.asks("ines", "POST", "/api/workspace/drafts/draft_1/save", {})
const saves = (seen: SyntheticRun) => seen.commits("ines", put(Drafts, { draftId: "draft_1" }))
const writes = (seen: SyntheticRun) =>
  seen
    .asks("quill", "POST", "/api/participation/v1/item/notes", {})
    .commits("quill", put(ParticipationNotes, { itemId, sequence: 1 }))
const did = (seen: SyntheticRun, path: string, body = {}) =>
  seen.asks("ines", "POST", `/api/workspace${path}`, {}).answers("ines", 200, body)

describe("ended sessions", () => {
  it("A commit of a session after its acknowledged sign-out is a violation", () => {
    const out = did(world(), "/session/sign-out")
    assert.include(saves(asksForADraft(out)).violation, "session_1 had ended")
  })

  it("A commit before the sign-out, and one in another session, are allowed", () => {
    assert.isUndefined(did(saves(asksForADraft(world())), "/session/sign-out").violation)
    const out = did(world(), "/session/sign-out")
    out.directory.people.get("ines")!.session = "another"
    assert.isUndefined(saves(asksForADraft(out)).violation)
  })

  it("Ending the others in a session that the rows do not show ends none that is known", () => {
    const unknown = world()
    const ines = unknown.directory.people.get("ines")!
    ines.session = "a later token"
    const ended = did(unknown, "/session/end-others")
    ines.session = "session of ines"
    assert.isUndefined(saves(asksForADraft(ended)).violation)
  })

  it("A commit of another session after it was ended is a violation", () => {
    const ended = did(world(), "/session/end-others")
    assert.isUndefined(saves(asksForADraft(ended)).violation)
    ended.directory.people.get("ines")!.session = "another"
    assert.include(saves(asksForADraft(ended)).violation, "session_2 had ended")
  })
})

describe("ended assistants", () => {
  it.each([
    ["its session", "/session/sign-out"],
    ["its credential", `/items/${itemId}/credentials/end`],
    ["its task by completion", `/items/${itemId}/done`],
    ["its task by withdrawal", `/items/${itemId}/withdraw`]
  ])("An assistant's note after the end of %s is a violation", (_, path) => {
    assert.include(writes(did(world(), path)).violation, "had ended")
    assert.isUndefined(did(writes(world()), path).violation)
  })

  it("A note with a replaced assistant credential is a violation, and with the new one it is allowed", () => {
    const renewed = () =>
      did(world(), `/items/${itemId}/credentials`, { token: "helper 2" }).holds(
        credentialOf("helper 2"),
        item(tokenHash("helper 2"))
      )
    assert.include(writes(renewed()).violation, "had ended")
    assert.isUndefined(writes(renewed().agent("quill", "", "helper 2")).violation)
    const again = did(world(), `/items/${itemId}/credentials`, { token: "helper 1" })
    assert.isUndefined(writes(again).violation)
  })
})
