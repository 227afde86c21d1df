/** Mutants of record issuance: issuance requests, credits and authority. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfRecords: ReadonlyArray<Mutant> = [
  {
    name: "issue-in-spite-of-a-pause",
    says: "A worker executes an issuance request of an agent although the project was paused meanwhile.",
    file: "src/records/issuance.ts",
    text: "row.pauses.length === 0 && wish.automationRevision === row.automationRevision",
    becomes: "wish.automationRevision <= row.automationRevision",
    noticedBy: ["answered means over"],
    scenarios: ["138-a-record-beside-a-pause"]
  },
  {
    name: "issue-what-is-contested",
    says: "A record is issued for a confirmation that was contested or withdrawn after the issuance request.",
    file: "src/records/issuance.ts",
    text: '  wish.headEventHash === project.head &&\n  project.state === "BUYER_CONFIRMED" &&\n',
    becomes: "",
    noticedBy: ["credits are conserved"],
    scenarios: ["139-a-record-beside-a-withdrawal"]
  },
  {
    name: "issue-for-whoever-was-revoked",
    says: "A worker issues a record under a grant that has ended meanwhile.",
    file: "src/records/owner.ts",
    text: "authority.link !== undefined && isLive(authority, at) && mayAct",
    becomes: "authority.link !== undefined && mayAct",
    noticedBy: ["answered means over"],
    scenarios: ["162-a-record-beside-a-revocation"]
  },
  {
    name: "a-record-for-nothing",
    says: "A record is issued without a debit.",
    file: "src/records/issuance.ts",
    text: "  yield* writeEntry(transaction, organizationId, account, debit, now)\n",
    becomes: "",
    noticedBy: ["credits are conserved"],
    scenarios: ["137-two-records-and-one-credit"]
  },
  {
    name: "debit-before-deciding",
    says: "A credit is debited before the decision whether the record may be issued.",
    file: "src/records/issuance.ts",
    text: "  if (!stands) {\n",
    becomes: [
      "  if (!stands) {",
      "    const early = { change: -1, reference: projectId, confirmationId: wish.confirmationId }",
      "    yield* writeEntry(transaction, organizationId, account, early, now)",
      ""
    ].join("\n"),
    noticedBy: ["credits are conserved"],
    scenarios: ["138-a-record-beside-a-pause"]
  },
  {
    name: "issue-on-credit",
    says: "An organization without credits gets a record.",
    file: "src/records/issuance.ts",
    text: "(account?.balance ?? 0) < 1",
    becomes: "(account?.balance ?? 0) < 0",
    noticedBy: ["credits are conserved"],
    scenarios: ["137-two-records-and-one-credit"]
  },
  {
    name: "list-no-authority",
    says: "The manifest of a package omits the authority chains of the grants.",
    file: "src/records/package.ts",
    text: '  ...authority.flatMap((chain) => chain.events.map((event) => signedEntry("authority-event", event)))\n',
    becomes: "",
    noticedBy: ["every package verifies"],
    scenarios: ["137-two-records-and-one-credit"]
  }
]
