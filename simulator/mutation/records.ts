/** Mutants of record issuance: issuance requests, credits and authority. */
import type { Mutant } from "./mutant.ts"

export const recordMutants: ReadonlyArray<Mutant> = [
  {
    name: "issue-while-paused",
    says: "A worker executes an issuance request of an agent although the project was paused meanwhile.",
    file: "src/records/issuance.ts",
    text: "row.pauses.length === 0 && issuance.automationRevision === row.automationRevision",
    becomes: "issuance.automationRevision <= row.automationRevision",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/issuance-and-pause"]
  },
  {
    name: "issue-contested-confirmation",
    says: "A record is issued for a confirmation that was contested or withdrawn after the issuance request.",
    file: "src/records/issuance.ts",
    text: '  issuance.headEventHash === project.head &&\n  project.state === "BUYER_CONFIRMED" &&\n',
    becomes: "",
    killedBy: ["credits are conserved"],
    scenarios: ["races/issuance-and-withdrawal"]
  },
  {
    name: "issue-under-revoked-grant",
    says: "A worker issues a record under a grant that has ended meanwhile.",
    file: "src/records/issuance-requester.ts",
    text: "authority.link !== undefined && isLive(authority, at) && mayAct",
    becomes: "authority.link !== undefined && mayAct",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/issuance-and-revocation"]
  },
  {
    name: "issue-without-debit",
    says: "A record is issued without a debit.",
    file: "src/records/issuance.ts",
    text: "  yield* writeCreditEntry(transaction, organizationId, account, debit, now)\n",
    becomes: "",
    killedBy: ["credits are conserved"],
    scenarios: ["races/two-issuances-and-one-credit"]
  },
  {
    name: "debit-before-decision",
    says: "A credit is debited before the decision whether the record may be issued.",
    file: "src/records/issuance.ts",
    text: "  if (!isIssuable) {\n",
    becomes: [
      "  if (!isIssuable) {",
      "    const early = { change: -1, reference: projectId, confirmationId: issuance.confirmationId }",
      "    yield* writeCreditEntry(transaction, organizationId, account, early, now)",
      ""
    ].join("\n"),
    killedBy: ["credits are conserved"],
    scenarios: ["races/issuance-and-pause"]
  },
  {
    name: "issue-without-credits",
    says: "An organization without credits gets a record.",
    file: "src/records/issuance.ts",
    text: "(account?.balance ?? 0) < 1",
    becomes: "(account?.balance ?? 0) < 0",
    killedBy: ["credits are conserved"],
    scenarios: ["races/two-issuances-and-one-credit"]
  },
  {
    name: "omit-authority-chains",
    says: "The manifest of a package omits the authority chains of the grants.",
    file: "src/records/package.ts",
    text: '  ...authority.flatMap((chain) => chain.events.map((event) => signedEntry("authority-event", event)))\n',
    becomes: "",
    killedBy: ["every export verifies"],
    scenarios: ["races/two-issuances-and-one-credit"]
  }
]
