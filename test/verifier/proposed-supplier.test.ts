/** Where an agreement was proposed, its first event names the supplier's organization, and nobody acts for another. */
import { describe, expect, it } from "vitest"
import { editAuthority, editEvent, failures, hex, verify } from "./forging.ts"
import { before, mia, rename, suppliedBy, certifying, together } from "./life.ts"
import { ids } from "./sample-ids.ts"
import { uuid } from "./signing.ts"

const elsewhere = `organization_${uuid(88)}`

/** Made by accepting a proposal of that organization, under a grant that may. */
const proposedBy = (supplierOrganizationId: string) =>
  together(
    editEvent(
      "CREATE",
      ({ payload }) => void Object.assign(payload, { proposalDigest: hex("1"), supplierOrganizationId })
    ),
    editAuthority(0, ({ change }) => {
      change.actions = change.actions.map((one: string) => (one === "CREATE_PROJECT" ? "RESPOND_PROPOSAL" : one))
    })
  )

const own = proposedBy(ids.supplierOrganization)

/** Another representative, named by somebody before the first answer. */
const renamed = (by: typeof mia) =>
  together(suppliedBy(mia, "RESPOND"), before("RESPOND", rename(by, mia.id)), certifying(mia.id))

describe("the supplier of a proposed agreement", () => {
  it("acts for the organization that proposed", () => {
    expect(failures(verify(own))).toEqual([])
  })

  it("is another of its people from before the first answer on, where one of them says so", () => {
    expect(failures(verify(together(own, renamed(mia))))).toEqual([])
  })

  it.each([
    ["acts for another organization from the first answer on", proposedBy(elsewhere)],
    ["is renamed by another organization's person", together(own, renamed({ ...mia, organizationId: elsewhere }))],
    ["is renamed before anything shows its organization", renamed(mia)],
    ["is renamed for another than proposed", together(proposedBy(elsewhere), renamed(mia))]
  ])("that %s is refused", (_, forgery) => {
    expect([...new Set(failures(verify(forgery)))]).toEqual(["history-parties PARTY_MISMATCH"])
  })

  it.each([
    ["is no text", 7],
    ["is no organization", ids.supplier],
    ["is nothing", null]
  ])("with an organization that %s is refused by its form", (_, value) => {
    const wrong = editEvent("CREATE", ({ payload }) =>
      Object.assign(payload, { proposalDigest: hex("1"), supplierOrganizationId: value })
    )
    expect([...new Set(failures(verify(wrong)).map((one) => one.split(" ")[0]))]).toEqual(["event-form"])
  })
})
