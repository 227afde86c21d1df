/** Names on the pages of proposals: typing an id does not reveal its person's name. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { removeContact } from "../../src/people/contacts.ts"
import { createProposalAsPerson } from "../../src/proposals/person-operations.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { dayFrom } from "../support/agreement-pages.ts"
import { readPage } from "../support/page-forms.ts"
import { addMember, textOn } from "../support/project-pages.ts"
import {
  makeContact,
  makeProposalContacts,
  previewProposal,
  proposalPage,
  publishOnPages,
  readAsAuthor,
  writeOnPages,
  proposalFormValues
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const list = "/workspace/proposals"

layer(freshTestService, { excludeTestServices: true })("names on the pages of proposals", (it) => {
  it.effect("The name of an unrelated person is not revealed by typing the person's id.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const outsider = yield* signInNewPerson("Eve Outsider")
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        principal: outsider.personId,
        agreementSignBy: dayFrom(today, 6),
        acceptanceSignBy: dayFrom(today, 14)
      }
      const shown = textOn(yield* previewProposal(supplier, yield* proposalFormValues(couple, signing)))
      assert.include(shown, outsider.personId)
      assert.notInclude(shown, "Eve Outsider")
      const { terms } = yield* readAsAuthor(supplier, yield* writeOnPages(couple))
      const { proposal } = yield* createProposalAsPerson(supplier, yield* nonIdempotentRequest(supplier.personId), {
        organizationId: supplier.organizationId,
        terms,
        recipientActorId: outsider.personId,
        recipientReference: "guessed"
      })
      for (const path of [list, proposalPage(proposal.id)]) {
        const words = textOn(yield* readPage(supplier, path))
        assert.include(words, outsider.personId, path)
        assert.notInclude(words, "Eve Outsider", path)
      }
      // The author knows the names of contacts.
      yield* makeContact(supplier, outsider, "eve")
      for (const path of [list, proposalPage(proposal.id)]) {
        assert.include(textOn(yield* readPage(supplier, path)), "Eve Outsider", path)
      }
    })
  )

  it.effect("Names of recipients, of colleagues and of the supplier's representative are shown.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const kim = yield* signInNewPerson("Kim Colleague")
      yield* addMember(kim, supplier.organizationId)
      const lee = yield* signInNewPerson("Lee Colleague")
      yield* addMember(lee, buyer.organizationId)
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
      const authors = textOn(yield* readPage(supplier, proposalPage(proposalId)))
      for (const expected of ["Kim Colleague", `Dana ( ${buyer.personId} )`]) assert.include(authors, expected)
      assert.notInclude(authors, "Lee Colleague")
      assert.include(textOn(yield* readPage(supplier, list)), `Dana ( ${buyer.personId} )`)
      const recipients = textOn(yield* readPage(buyer, proposalPage(proposalId)))
      for (const expected of ["Lee Colleague", "Sam"]) assert.include(recipients, expected)
      assert.notInclude(recipients, "Kim Colleague")
      assert.include(textOn(yield* readPage(buyer, list)), `Sam ( ${supplier.personId} )`)
    })
  )
})
