/** Mutants of publications: consents, disclosure, passports and statements. */
import type { Mutant } from "./mutant.ts"

export const publicationMutants: ReadonlyArray<Mutant> = [
  {
    name: "approve-another-digest",
    says: "An approval of another digest publishes a summary.",
    file: "src/publications/publication.ts",
    text: '  if (publication.digest !== digest) return refusal("PUBLICATION_DIGEST_MISMATCH")\n',
    becomes: "",
    killedBy: ["published results have both consents"],
    scenarios: ["races/approval-and-withdrawal"]
  },
  {
    name: "approve-withdrawn",
    says: "A withdrawn publication can be approved.",
    file: "src/publications/publication.ts",
    text: 'from: ["PROPOSED"], to: "PUBLISHED"',
    becomes: 'from: ["PROPOSED", "WITHDRAWN"], to: "PUBLISHED"',
    killedBy: ["published results have both consents"],
    scenarios: ["races/approval-and-withdrawal"]
  },
  {
    name: "disclose-contested-result",
    says: "A published summary stays public although its result is contested.",
    file: "src/publications/publication.ts",
    text: 'state === "PUBLISHED" && isAccepted(projectState)',
    becomes: 'state === "PUBLISHED" && projectState !== "SUBMITTED"',
    killedBy: ["published results have both consents"],
    scenarios: ["races/concern-and-statement"]
  },
  {
    name: "withdraw-only-while-accepted",
    says: "A publication of a contested result cannot be withdrawn.",
    file: "src/publications/publication.ts",
    text: 'to: "WITHDRAWN", needsAcceptance: false',
    becomes: 'to: "WITHDRAWN", needsAcceptance: true',
    killedBy: ["stop is always available"],
    scenarios: ["races/concern-and-statement"]
  },
  {
    name: "list-approval-for-both-sides",
    says: "The supplier sees the approval of its own proposal as an available action.",
    file: "src/publications/publication.ts",
    text: "publicationMoves[act].by.includes(side) && stateGuard(",
    becomes: "side.length > 0 && stateGuard(",
    killedBy: ["available actions are accurate"],
    scenarios: ["races/approval-and-withdrawal"]
  },
  {
    name: "propose-beside-live-publication",
    says: "A result gets a second live publication.",
    file: "src/publications/publication.ts",
    text: "if (earlier.some(isLive)) {",
    becomes: "if (earlier.some(isLive) && earlier.length > 1) {",
    killedBy: ["limits are enforced"],
    scenarios: ["races/two-first-publications"]
  },
  {
    name: "available-after-withdrawal",
    says: "A statement says AVAILABLE of a withdrawn publication.",
    file: "src/publications/passport.ts",
    text: 'status: isAvailable ? "AVAILABLE" : "UNAVAILABLE"',
    becomes: 'status: isAvailable || publicationDigest.length === 64 ? "AVAILABLE" : "UNAVAILABLE"',
    killedBy: ["published results have both consents"],
    scenarios: ["races/withdrawal-and-passport"]
  },
  {
    name: "statement-on-another-suppliers-publication",
    says: "A statement is made on a publication of another supplier.",
    file: "src/publications/public-operations.ts",
    text: "publication?.subjectId === subjectId ? publication : undefined",
    becomes: "publication",
    killedBy: ["statements answer the selection"],
    scenarios: ["races/concern-and-statement"]
  },
  {
    name: "omit-unavailable-statements",
    says: "A publication that is not public has no statement.",
    file: "src/publications/public-operations.ts",
    text: "selected.filter(({ publication }) => publication !== undefined)",
    becomes: "selected.filter(({ isAvailable }) => isAvailable)",
    killedBy: ["statements answer the selection"],
    scenarios: ["races/withdrawal-and-passport"]
  },
  {
    name: "lose-order-of-entries",
    says: "A passport has its entries in another order than the selection.",
    file: "src/publications/public-operations.ts",
    text: "const published = selected.flatMap(({ publication }) => publication ?? [])",
    becomes: "const published = selected.flatMap(({ publication }) => publication ?? []).toReversed()",
    killedBy: ["statements answer the selection"],
    scenarios: ["races/withdrawal-and-passport"]
  },
  {
    name: "summary-digest-of-payload",
    says: "The manifest has the digest of a summary's payload instead of that of the enclosed summary.",
    file: "src/publications/passport.ts",
    text: "summaryDigest: digestOf(summary)",
    becomes: "summaryDigest: digest",
    killedBy: ["every export verifies"],
    scenarios: ["races/withdrawal-and-passport"]
  }
]
