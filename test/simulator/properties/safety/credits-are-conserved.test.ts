import { assert, describe, it } from "@effect/vitest"
import { canonicalText } from "../../../../src/canonical/jcs.ts"
import { creditsAreConserved } from "../../../../simulator/properties/safety/credits-are-conserved.ts"
import { ProjectEvents, Projects, type ProjectRow } from "../../../../src/projects/store.ts"
import { CreditEntries, OrganizationCredits, ResultRecords } from "../../../../src/records/store.ts"
import { jwsOf, SyntheticRun, noon, put } from "../../support/synthetic-run.ts"

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
  agreement: canonicalText({} as never),
  agreementDigest: "",
  headEventHash: "",
  holdPurpose: null,
  signedBy: [],
  eventCount: 2,
  historyBytes: 0,
  lastEventAt: noon,
  automationRevision: 0,
  pauses: [],
  supersedesProjectId: null,
  revisionProjectId: null,
  listeners: 0,
  lostHead: null,
  searchText: null,
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
  new SyntheticRun(creditsAreConserved)
    .holds(put(Projects, project), accepted)
    .commits("worker", put(CreditEntries, granted), account(3, 1))

describe("credits are conserved", () => {
  it("A record, its debit and its event may be committed together", () => {
    assert.isUndefined(begun().commits("worker", put(CreditEntries, debit), account(2, 2), record, issued).violation)
  })

  it.each([
    ["debit without a record", [put(CreditEntries, debit), account(2, 2)]],
    ["record without a debit", [record, issued]],
    ["record without an event", [put(CreditEntries, debit), account(2, 2), record]],
    ["wrong balance of the account", [put(CreditEntries, debit), account(3, 2), record, issued]],
    ["wrong balance of an entry", [put(CreditEntries, { ...debit, balance: 1 }), account(1, 2), record, issued]],
    [
      "two credits for one record",
      [put(CreditEntries, { ...debit, change: -2, balance: 1 }), account(1, 2), record, issued]
    ],
    ["negative balance", [put(CreditEntries, { ...debit, change: -4, balance: -1 }), account(-1, 2)]],
    ["overwritten entry", [put(CreditEntries, { ...granted, reference: "another" })]],
    [
      "record for an earlier acceptance",
      [
        event(3, "REVIEW", { action: "ACCEPT", confirmationId: "confirmation_2" }),
        put(CreditEntries, debit),
        account(2, 2),
        record,
        issued
      ]
    ]
  ])("This ledger defect is a violation: %s", (_, changes) => {
    assert.isDefined(begun().commits("worker", ...changes).violation)
  })

  it("A record for a contested confirmation, and a debit of another organization, are violations", () => {
    const all = [put(CreditEntries, debit), account(2, 2), record, issued]
    const contested = begun().holds(put(Projects, { ...project, state: "CONFIRMATION_CONTESTED" }))
    const foreign = begun().holds(put(Projects, { ...project, buyerOrganizationId: "organization_2" }))
    assert.isDefined(contested.commits("worker", ...all).violation)
    assert.isDefined(foreign.commits("worker", ...all).violation)
  })

  it("A record that is issued twice is a violation", () => {
    const run = begun().commits("worker", put(CreditEntries, debit), account(2, 2), record, issued)
    assert.include(run.commits("worker", record).violation, "overwritten")
  })
})
