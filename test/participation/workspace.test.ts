import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { uuid } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"
import { millisecondsAfterNoon, hour, noon, project, readItem, sendNote, task } from "./fixtures.ts"

layer(freshTestService, { excludeTestServices: true })("participation over the workspace API", (it) => {
  it.effect("A task is invited, accepted, noted, read and withdrawn over HTTP.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* project
      const kim = yield* signInNewPerson("Kim")
      const terms = { ...task, dueAt: millisecondsAfterNoon(hour) }
      const invited = yield* post(dana, `/projects/${projectId}/participation-invitations`, {
        requestId: uuid(),
        ...terms
      })
      assert.deepStrictEqual([invited.status, Object.keys(invited.body)], [201, ["invitationId", "code", "expiresAt"]])
      const { code } = invited.body
      const accepted = yield* post(kim, "/invitations/accept-participation", { code })
      const { id } = accepted.body
      const item = { id, ...terms, state: "OPEN", acceptedAt: noon }
      assert.deepStrictEqual([accepted.status, accepted.body], [201, { ...item, noteCount: 0 }])
      const requestId = uuid()
      const credential = yield* post(kim, `/items/${id}/credentials`, { requestId })
      assert.deepStrictEqual([credential.status, credential.body.itemId], [201, id])
      const again = yield* post(kim, `/items/${id}/credentials`, { requestId })
      assert.deepStrictEqual([again.status, again.body], [201, credential.body])
      const note = { sequence: 1, text: "One.", at: noon }
      assert.deepStrictEqual((yield* sendNote(credential.body.token, note.text)).body, note)

      const person = { personId: kim.personId, name: "Kim" }
      const listed = { ...item, noteCount: 1 }
      assert.deepStrictEqual((yield* read(kim, "/items")).body, { items: [listed], next: null })
      assert.deepStrictEqual((yield* read(dana, `/projects/${projectId}/items`)).body, {
        items: [{ ...listed, person }],
        next: null
      })
      assert.deepStrictEqual((yield* read(sam, `/projects/${projectId}/items`)).body, { items: [], next: null })
      const shown = { ...listed, person, notes: [note] }
      const own = { isOwn: true, assistantUntil: credential.body.expiresAt }
      assert.deepStrictEqual((yield* read(kim, `/items/${id}`)).body, { ...shown, ...own })
      const given = { isOwn: false, assistantUntil: null }
      assert.deepStrictEqual((yield* read(dana, `/items/${id}`)).body, { ...shown, ...given })

      assert.deepStrictEqual(createdBody(yield* post(kim, `/items/${id}/credentials/end`)), listed)
      assert.strictEqual((yield* readItem(credential.body.token)).status, 401)
      assert.strictEqual((yield* read(kim, `/items/${id}`)).body.assistantUntil, null)
      const withdrawn = { ...listed, state: "WITHDRAWN", person }
      assert.deepStrictEqual(createdBody(yield* post(dana, `/items/${id}/withdraw`)), withdrawn)
      assert.deepStrictEqual(outcome(yield* post(kim, `/items/${id}/done`)), [409, "ITEM_ENDED"])
      assert.deepStrictEqual(outcome(yield* post(sam, `/items/${id}/withdraw`)), [404, "UNKNOWN_PARTY"])
    }).pipe(at(noon))
  )

  it.effect("A finished task accepts no further credential.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const kim = yield* signInNewPerson("Kim")
      const path = `/projects/${projectId}/participation-invitations`
      const { code } = createdBody(yield* post(dana, path, { requestId: uuid(), ...task }))
      const { id } = createdBody(yield* post(kim, "/invitations/accept-participation", { code }))
      assert.strictEqual(createdBody(yield* post(kim, `/items/${id}/done`)).state, "DONE")
      const late = yield* post(kim, `/items/${id}/credentials`, { requestId: uuid() })
      assert.deepStrictEqual(outcome(late), [409, "ITEM_ENDED"])
    }).pipe(at(noon))
  )

  it.effect("An invalid invitation or item id is refused.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const path = `/projects/${projectId}/participation-invitations`
      const valid = { requestId: uuid(), ...task }
      const bodies: ReadonlyArray<object> = [
        { ...valid, title: "" },
        { ...valid, title: "x".repeat(201) },
        { ...valid, instructions: "x".repeat(20_001) },
        { ...valid, dueAt: "2026-12-01" },
        { ...valid, dueAt: noon },
        { ...valid, side: "BUYER" },
        { ...task }
      ]
      for (const body of bodies) {
        assert.deepStrictEqual(outcome(yield* post(dana, path, body)), [400, "INVALID_REQUEST"])
      }
      assert.deepStrictEqual(outcome(yield* read(dana, "/items/item_1")), [404, "NOT_FOUND"])
      assert.deepStrictEqual(outcome(yield* read(dana, `/items/item_${uuid()}`)), [404, "UNKNOWN_PARTY"])
      const unknown = yield* post(dana, "/invitations/accept-participation", { code: "none" })
      assert.deepStrictEqual(outcome(unknown), [404, "INVITATION_UNKNOWN"])
    }).pipe(at(noon))
  )
})
