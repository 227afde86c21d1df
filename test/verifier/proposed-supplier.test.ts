/** The first event of a proposed agreement names the supplier's organization, and all its later events are by that one. */
import { describe, expect, it } from "vitest"
import { editAuthority, editEvent, failures, hex, verify } from "./forgeries.ts"
import { before, mia, rename, suppliedBy, recordNaming, composeForgeries } from "./sample-steps.ts"
import { ids } from "./sample-ids.ts"
import { uuid } from "./signing.ts"

const elsewhere = `organization_${uuid(88)}`

/** An agreement by acceptance of a proposal of that organization, under a grant with that action. */
const proposedBy = (supplierOrganizationId: string) =>
  composeForgeries(
    editEvent(
      "CREATE",
      ({ payload }) => void Object.assign(payload, { proposalDigest: hex("1"), supplierOrganizationId })
    ),
    editAuthority(0, ({ change }) => {
      change.actions = change.actions.map((one: string) => (one === "CREATE_PROJECT" ? "RESPOND_PROPOSAL" : one))
    })
  )

const own = proposedBy(ids.supplierOrganization)

/** Another representative, named by this person before the first response. */
const renamed = (by: typeof mia) =>
  composeForgeries(suppliedBy(mia, "RESPOND"), before("RESPOND", rename(by, mia.id)), recordNaming(mia.id))

describe("the supplier of a proposed agreement", () => {
  it("the supplier of a proposed agreement acts for the proposing organization", () => {
    expect(failures(verify(own))).toEqual([])
  })

  it("a member of the proposing organization may change the representative before the first response", () => {
    expect(failures(verify(composeForgeries(own, renamed(mia))))).toEqual([])
  })

  it.each([
    ["acts for another organization from the first response", proposedBy(elsewhere)],
    [
      "is replaced by a person of another organization",
      composeForgeries(own, renamed({ ...mia, organizationId: elsewhere }))
    ],
    ["is replaced before its organization is known", renamed(mia)],
    [
      "is replaced by a member of another than the proposing organization",
      composeForgeries(proposedBy(elsewhere), renamed(mia))
    ]
  ])("a supplier that %s is refused", (_, forgery) => {
    expect([...new Set(failures(verify(forgery)))]).toEqual(["history-parties PARTY_MISMATCH"])
  })

  it.each([
    ["is not a text", 7],
    ["is not the id of an organization", ids.supplier],
    ["is null", null]
  ])("a proposed agreement with an organization that %s is refused by its schema", (_, value) => {
    const wrong = editEvent("CREATE", ({ payload }) =>
      Object.assign(payload, { proposalDigest: hex("1"), supplierOrganizationId: value })
    )
    expect([...new Set(failures(verify(wrong)).map((one) => one.split(" ")[0]))]).toEqual(["event-form"])
  })
})
