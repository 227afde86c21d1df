import { assert, describe, it } from "@effect/vitest"
import { creditsAreConserved } from "../../../simulator/invariants/credits-are-conserved.ts"
import { ProjectEvents, Projects, type ProjectRow } from "../../../src/projects/store.ts"
import { CreditEntries, OrganizationCredits, ResultRecords } from "../../../src/records/store.ts"
import { jwsOf, MadeUp, noon, put } from "../support/made-up.ts"

const organizationId = "organization_1"
const [projectId, confirmationId, recordId] = ["delivery_1", "confirmation_1", "record_1"]

const granted = {
  organizationId,
  sequence: 1,
  change: 3,
  balance: 3,
  reference: "invoice",
  confirmationId: null,
  at: noon
}
const debit = { ...granted, sequence: 2, change: -1, balance: 2, reference: projectId, confirmationId }
const account = (balance: number, entries: number) => put(OrganizationCredits, { organizationId, balance, entries })

const project: ProjectRow = {
  projectId,
  tenantId: "tenant_1",
  buyerOrganizationId: organizationId,
  buyerActorId: "person_1",
  supplierActorId: null,
  supplierOrganizationId: null,
  state: "BUYER_CONFIRMED",
  agreement: "{}",
  agreementDigest: "",
  headEventHash: "",
  eventCount: 2,
  historyBytes: 0,
  lastEventAt: noon,
  automationRevision: 0,
  pauses: [],
  supersedesProjectId: null,
  revisionProjectId: null,
  listeners: 0,
  createdAt: noon
}

const event = (sequence: number, kind: "REVIEW" | "ISSUE", payload: object) =>
  put(ProjectEvents, {
    projectId,
    sequence,
    kind,
    hash: `hash ${sequence}`,
    jws: jwsOf({ payload }),
    occurredAt: noon
  })

const accepted = event(1, "REVIEW", { action: "ACCEPT", confirmationId })
const issued = event(2, "ISSUE", { recordId, confirmationId })
const record = put(ResultRecords, { projectId, confirmationId, recordId, digest: "", jws: "", issuedAt: noon })

const begun = () =>
  new MadeUp(creditsAreConserved)
    .holds(put(Projects, project), accepted)
    .commits("worker", put(CreditEntries, granted), account(3, 1))

describe("credits are conserved", () => {
  it("holds where a record, its debit and its event come together", () => {
    assert.isUndefined(begun().commits("worker", put(CreditEntries, debit), account(2, 2), record, issued).broken)
  })

  it.each([
    ["a debit has no record", [put(CreditEntries, debit), account(2, 2)]],
    ["a record has no debit", [record, issued]],
    ["a record has no event", [put(CreditEntries, debit), account(2, 2), record]],
    ["the balance is not what is left", [put(CreditEntries, debit), account(3, 2), record, issued]],
    [
      "an entry says something else is left",
      [put(CreditEntries, { ...debit, balance: 1 }), account(1, 2), record, issued]
    ],
    [
      "two are charged for one",
      [put(CreditEntries, { ...debit, change: -2, balance: 1 }), account(1, 2), record, issued]
    ],
    ["a grant is of less than nothing", [put(CreditEntries, { ...debit, change: -4, balance: -1 }), account(-1, 2)]],
    ["an entry is written again", [put(CreditEntries, { ...granted, reference: "another" })]],
    [
      "another acceptance is confirmed by now",
      [
        event(3, "REVIEW", { action: "ACCEPT", confirmationId: "confirmation_2" }),
        put(CreditEntries, debit),
        account(2, 2),
        record,
        issued
      ]
    ]
  ])("is broken where %s", (_, changes) => {
    assert.isDefined(begun().commits("worker", ...changes).broken)
  })

  it("is broken where what was confirmed is contested, or another pays", () => {
    const all = [put(CreditEntries, debit), account(2, 2), record, issued]
    const contested = begun().holds(put(Projects, { ...project, state: "CONFIRMATION_CONTESTED" }))
    const foreign = begun().holds(put(Projects, { ...project, buyerOrganizationId: "organization_2" }))
    assert.isDefined(contested.commits("worker", ...all).broken)
    assert.isDefined(foreign.commits("worker", ...all).broken)
  })

  it("is broken where a record is issued twice", () => {
    const run = begun().commits("worker", put(CreditEntries, debit), account(2, 2), record, issued)
    assert.include(run.commits("worker", record).broken, "written again")
  })
})
