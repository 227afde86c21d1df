/** Mutants of closures: their gates, the attempt that is selected, the enclosed parts and the status. */
import type { Mutant } from "./mutant.ts"

export const closureMutants: ReadonlyArray<Mutant> = [
  {
    name: "closure-by-financial-authority-alone",
    says: "A person who may read payments gets closures, without the record gate.",
    file: "src/closure/access.ts",
    text: "  passesRecordGate(project, membership)\n",
    becomes: "  passesRecordGate(project, membership) || membership.authorities.length > 0\n",
    killedBy: ["a closure respects the record gate", "every export verifies"],
    scenarios: ["races/representative-change-and-closure"]
  },
  {
    name: "no-record-gate-in-transaction",
    says: "The record gate is not asked again in the transaction of the export.",
    file: "src/closure/access.ts",
    text: "  yield* requireRecordGate(reading)\n",
    becomes: "",
    killedBy: ["a closure respects the record gate"],
    scenarios: ["races/representative-change-and-closure"]
  },
  {
    name: "package-without-record-gate",
    says: "Every member of a party gets the Result Package.",
    file: "src/records/person-package.ts",
    text: "if (!passesRecordGate(stored.row, membership)) {",
    becomes: "if (!passesRecordGate(stored.row, membership) && membership.authorities.length === 0) {",
    killedBy: ["a closure respects the record gate", "every export verifies"],
    scenarios: ["races/representative-change-and-closure"]
  },
  {
    name: "sign-enclosed-package-again",
    says: "The enclosed package is signed again at the export.",
    file: "src/closure/export.ts",
    text: "  return { resultPackage, resultOrder: selected.orderRecord, commerceRecord: record } satisfies ClosureArtifacts",
    becomes: [
      '  const payload = JSON.parse(Buffer.from(resultPackage.split(".")[1] ?? "", "base64url").toString("utf8"))',
      '  const again = yield* (yield* Signer).sign("PACKAGE", { ...payload, issuedAt: yield* transaction.now })',
      "  return { resultPackage: again, resultOrder: selected.orderRecord, commerceRecord: record }"
    ].join("\n"),
    killedBy: ["a closure holds one transaction"],
    scenarios: ["races/refund-and-closure"]
  },
  {
    name: "enclose-order-record-of-current-head",
    says: "A closure encloses the terms at the order's current head in place of those of its attempt.",
    file: "src/closure/export.ts",
    text: "resultOrder: selected.orderRecord,",
    becomes: "resultOrder: attempts.at(-1)!.orderRecord,",
    killedBy: ["a closure holds one transaction", "every export verifies"],
    scenarios: ["races/late-payment-and-closure"]
  },
  {
    name: "close-latest-attempt",
    says: "A closure is about the latest attempt, although an earlier one was paid.",
    file: "src/closure/closure.ts",
    text: 'return inOrder.find(({ state }) => state === "PAID") ?? inOrder.at(-1)',
    becomes: "return inOrder.at(-1)",
    killedBy: ["a closure holds one transaction"],
    scenarios: ["races/late-payment-and-closure"]
  },
  {
    name: "assure-without-refund",
    says: "The assurance of a closure leaves refunds out.",
    file: "src/closure/assurance.ts",
    text: '(entry.component === "REFUND" ? entry.facts.amountMinor : 0)',
    becomes: '(entry.component === "REFUND" ? 0 * entry.facts.amountMinor : 0)',
    killedBy: ["a closure holds one transaction", "every export verifies"],
    scenarios: ["races/refund-and-closure"]
  },
  {
    name: "status-of-selected-attempt",
    says: "The status beside an earlier record is that of the attempt that a closure selects now.",
    file: "src/closure/status.ts",
    text: "const attempt = attempts.find(({ commerceOrderId }) => commerceOrderId === exported?.commerceOrderId)",
    becomes: [
      "const attempt = selectAttempt(attempts)",
      "  if (exported !== undefined && attempt !== undefined)",
      "    return { attempt, exported: yield* findLongestExport(reader, attempt.commerceOrderId) }"
    ].join("\n"),
    killedBy: ["a closure holds one transaction"],
    scenarios: ["races/replacement-and-closure-status"]
  },
  {
    name: "source-over-one-address",
    says: "The source digest of a payment is over one base address instead of both.",
    file: "src/commerce/source.ts",
    text: "financialHead, baseUrl, baseUrl, terms",
    becomes: "financialHead, baseUrl, terms",
    killedBy: ["result orders move as agreed", "every export verifies"],
    scenarios: ["races/two-payments-of-an-order"]
  },
  {
    name: "history-without-gate-of-next",
    says: "The link of the next agreement is read without its record gate in the transaction.",
    file: "src/closure/lineage-export.ts",
    text: "  yield* requireRecordAccess(transaction, by, membershipId, projectId)\n",
    becomes: "",
    killedBy: ["a closure respects the record gate"],
    scenarios: ["races/history-and-lost-access"]
  },
  {
    name: "refer-to-withdrawn-result",
    says: "A reference is made although its result was withdrawn after the passport was read.",
    file: "src/closure/refer.ts",
    text: "isDisclosed: original.isDisclosed }",
    becomes: "isDisclosed: original !== undefined }",
    killedBy: ["a history reference rests on a public result"],
    scenarios: ["races/history-reference-and-withdrawal"]
  },
  {
    name: "refer-for-superseded-agreement",
    says: "A reference is made although its agreement has ended.",
    file: "src/closure/agreement-snapshot.ts",
    text: "isEnded(project.state) ? undefined : confirmationOf(project)",
    becomes: "isEnded(project.state) && project.events.length === 0 ? undefined : confirmationOf(project)",
    killedBy: ["a history reference rests on a public result"],
    scenarios: ["races/history-reference-and-supersession"]
  },
  {
    name: "replace-history-reference",
    says: "A second reference replaces the first one.",
    file: "src/closure/refer.ts",
    text: "    hasReference: reference !== undefined,\n",
    becomes: "    hasReference: reference === null,\n",
    killedBy: ["a history reference rests on a public result", "transient errors are retried"],
    scenarios: ["races/two-history-references"]
  },
  {
    name: "history-reference-by-its-id",
    says: "References are stored by their own ids, so that an agreement can have several.",
    file: "src/closure/store.ts",
    text: 'key: ["projectId"],',
    becomes: 'key: ["referenceId"],',
    killedBy: ["a history reference rests on a public result"],
    scenarios: ["races/two-history-references"]
  },
  {
    name: "link-before-gate-of-next",
    says: "What is wrong with the history of the next agreement is told to a person who may not copy that agreement.",
    file: "src/closure/lineage-export.ts",
    text: `  yield* requireRecordAccess(transaction, by, membershipId, projectId)
  if (passport === undefined) return yield* refuseLineage("PASSPORT_INVALID")
`,
    becomes: `  if (passport === undefined) return yield* refuseLineage("PASSPORT_INVALID")
  yield* requireRecordAccess(transaction, by, membershipId, projectId)
`,
    killedBy: ["every export verifies"],
    scenarios: ["races/history-and-lost-access"]
  },
  {
    name: "history-of-another-agreement",
    says: "A next agreement without a history reference gets that of another one with the same supplier.",
    file: "src/closure/lineage-export.ts",
    text: "  const stored = yield* transaction.get(HistoryReferences, [projectId])\n",
    becomes: `  const stored =
    (yield* transaction.get(HistoryReferences, [projectId])) ??
    (yield* transaction.range(HistoryReferences, "key", { limit: 1 }))[0]
`,
    killedBy: ["every export verifies", "transient errors are retried"],
    scenarios: ["races/history-and-supersession"]
  },
  {
    name: "snapshot-of-revision",
    says: "The snapshot in a closure is of the revision, and not of the agreement for which the reference was made.",
    file: "src/closure/lineage-export.ts",
    text: "  const stored = (yield* readStoredProject(transaction, projectId))!\n",
    becomes: `  const revised = (yield* readStoredProject(transaction, projectId))!
  const stored = (yield* readStoredProject(transaction, revised.row.revisionProjectId ?? projectId))!
`,
    killedBy: ["every export verifies", "transient errors are retried"],
    scenarios: ["races/history-and-supersession"]
  },
  {
    name: "trust-statements-of-passport",
    says: "A result counts as public because the statement in the passport said so when it was exported.",
    file: "src/publications/own-passport.ts",
    text: "isDisclosed: isDisclosed(publication!, row!.state)",
    becomes: "isDisclosed: publication !== undefined && row !== undefined",
    killedBy: ["a history reference rests on a public result"],
    scenarios: ["races/history-reference-and-withdrawal"]
  },
  {
    name: "reference-tells-of-original",
    says: "The history reference that the next buyer gets depends on what happened on the earlier project.",
    file: "src/closure/refer.ts",
    text: "      reason: input.reason\n    },\n    keys,",
    becomes: "      reason: `${input.reason} ${decision.original.automationRevision}`\n    },\n    keys,",
    killedBy: ["history isolation"],
    scenarios: ["races/history-reference-and-withdrawal"]
  }
]
