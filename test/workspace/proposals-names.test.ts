/** Whose name the pages of proposals show: nobody learns a name by naming an id. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { removeContact } from "../../src/people/contacts.ts"
import { createProposalAsPerson } from "../../src/proposals/person-operations.ts"
import { unrepeated } from "../../src/replay/replay.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { dayFrom } from "../support/agreement-pages.ts"
import { readPage } from "../support/page-forms.ts"
import { joinedBy, wordsOn } from "../support/project-pages.ts"
import {
  knowing,
  makeCouple,
  previewed,
  proposalPage,
  publishOnPages,
  standing,
  writeOnPages,
  written
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

const list = "/workspace/proposals"

layer(freshTestService, { excludeTestServices: true })("a name on the pages of proposals", (it) => {
  it.effect("is not told of a stranger whose id an author typed, neither in the preview nor in the list", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const stranger = yield* signInAnew("Eve Stranger")
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        principal: stranger.personId,
        agreementSignBy: dayFrom(today, 6),
        acceptanceSignBy: dayFrom(today, 14)
      }
      const shown = wordsOn(yield* previewed(supplier, yield* written(couple, signing)))
      assert.include(shown, stranger.personId)
      assert.notInclude(shown, "Eve Stranger")
      const { terms } = yield* standing(supplier, yield* writeOnPages(couple))
      const { proposal } = yield* createProposalAsPerson(supplier, yield* unrepeated(supplier.personId), {
        organizationId: supplier.organizationId,
        terms,
        recipientActorId: stranger.personId,
        recipientReference: "guessed"
      })
      for (const path of [list, proposalPage(proposal.id)]) {
        const words = wordsOn(yield* readPage(supplier, path))
        assert.include(words, stranger.personId, path)
        assert.notInclude(words, "Eve Stranger", path)
      }
      // Among the contacts, the author knows the name.
      yield* knowing(supplier, stranger, "eve")
      for (const path of [list, proposalPage(proposal.id)]) {
        assert.include(wordsOn(yield* readPage(supplier, path)), "Eve Stranger", path)
      }
    })
  )

  it.effect("is told of who was published to, of colleagues, and of who stands for the supplier", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const kim = yield* signInAnew("Kim Colleague")
      yield* joinedBy(kim, supplier.organizationId)
      const lee = yield* signInAnew("Lee Colleague")
      yield* joinedBy(lee, buyer.organizationId)
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        principal: lee.personId,
        counterparty: kim.personId,
        agreementSignBy: dayFrom(today, 6),
        acceptanceSignBy: dayFrom(today, 14)
      }
      const proposalId = yield* publishOnPages(couple, signing)
      yield* removeContact(supplier, { organizationId: supplier.organizationId, reference: "dana" })
      const authors = wordsOn(yield* readPage(supplier, proposalPage(proposalId)))
      for (const said of ["Kim Colleague", `Dana ( ${buyer.personId} )`]) assert.include(authors, said)
      assert.notInclude(authors, "Lee Colleague")
      assert.include(wordsOn(yield* readPage(supplier, list)), `Dana ( ${buyer.personId} )`)
      const recipients = wordsOn(yield* readPage(buyer, proposalPage(proposalId)))
      for (const said of ["Lee Colleague", "Sam"]) assert.include(recipients, said)
      assert.notInclude(recipients, "Kim Colleague")
      assert.include(wordsOn(yield* readPage(buyer, list)), `Sam ( ${supplier.personId} )`)
    })
  )
})
