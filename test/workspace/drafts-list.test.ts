/** The list of drafts: limited to the person's roles, in pages. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../src/access/actions.ts"
import { insertDraft } from "../../src/drafts/new-draft.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { refusal } from "../../src/vocabulary/refusals.ts"
import { refusalPage } from "../../src/workspace/kit/refusal-page.ts"
import { prepareDraftFor } from "../support/drafts.ts"
import { readPage } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { read } from "../support/workspace.ts"

const listPath = "/workspace/drafts"

/** Inserts drafts with increasing times of creation. */
const prepareMany = Effect.fnUntraced(function* (by: SignedInPerson, role: Role, count: number) {
  const storage = yield* Storage
  const ids = Array.from({ length: count }, () => `draft_${uuid()}`)
  const { personId, organizationId } = by
  const start = yield* now
  yield* storage.transaction({ locks: ids.map((id) => exclusive("draft", id)) }, (transaction) =>
    Effect.forEach(ids, (draftId, index) => {
      const preparation = { draftId, tenantId: "tenant", organizationId, role, preparedBy: personId, agent: null }
      return insertDraft(transaction, preparation, { title: `Many ${index}` }, addMilliseconds(start, index))
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the list of drafts", (it) => {
  it.effect("The list of drafts reaches drafts of one role behind a thousand of the other, and has pages.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { organizationId } = dana
      const draftId = yield* prepareDraftFor(dana, { title: "An offer" }, "SUPPLIER")
      yield* prepareMany(dana, "BUYER", limits.draftsListed)
      const { token, personId } = yield* signIn(yield* identityOf("Pat"), { isInvited: true })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId, organizationId, authorities: ["PROPOSAL_MANAGE"], validUntil })
      const offers = yield* readPage({ token }, listPath)
      assert.include(textOn(offers), "An offer")
      const offer = yield* readPage({ token }, `${listPath}/${draftId}`)
      assert.include(offer.text, `href="/workspace/proposals/new?draft=${draftId}"`)
      assert.include(textOn(offer), "Choose one of the contacts to send it to.")
      assert.notInclude(offers.text, "Start an agreement")
      assert.include(offers.text, 'href="/workspace/specifications"')
      const all = yield* readPage(dana, listPath)
      assert.include(all.text, ">Older</a>")
      assert.notInclude(textOn(all), "An offer")
      assert.include(all.text, "Start an agreement")
      const offered = yield* readPage(dana, `${listPath}?side=SUPPLIER`)
      assert.include(textOn(offered), "An offer")
      assert.notInclude(textOn(offered), "Many")
      assert.include(textOn(yield* readPage(dana, `${listPath}?state=DISCARDED`)), "Nothing matches.")
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, limits.draftsListed)
    })
  )

  it.effect("A refusal about a draft links to the list of drafts on every page.", () =>
    Effect.sync(() => {
      const { body } = refusalPage(refusal("DRAFT_CHANGED"), { request: { method: "POST", url: "/workspace/other" } })
      const html = new TextDecoder().decode((body as unknown as { body: Uint8Array }).body)
      assert.include(html, `<a href="${listPath}">See the drafts</a>`)
    })
  )
})
