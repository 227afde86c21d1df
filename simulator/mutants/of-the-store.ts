/** Mutants of storage failures: transient errors, unknown commits, and crashes between two commits. */
import type { Mutant } from "./mutant.ts"

const failures = { file: "src/ports/attempts.ts", scenarios: ["168-a-store-that-fails-an-agent"] } as const

export const mutantsOfTheStore: ReadonlyArray<Mutant> = [
  {
    name: "run-again-without-looking",
    says: "A transaction with an unknown outcome is retried.",
    file: "src/ports/attempts.ts",
    text: 'if (code === connectionLost) return "reconnect"',
    becomes: 'if (code === connectionLost || code === outcomeUnknown) return "reconnect"',
    noticedBy: ["one request, one effect"],
    scenarios: ["156-a-secret-is-rotated-once"],
    needs: "database commit-lost-unknown"
  },
  {
    ...failures,
    name: "give-up-with-the-connection",
    says: "A transaction whose connection is lost before its commit is not retried.",
    text: 'if (code === connectionLost) return "reconnect"',
    becomes: 'if (code === connectionLost) return "unavailable"',
    noticedBy: ["what passes is tried again"],
    needs: "database connection-lost"
  },
  {
    ...failures,
    name: "give-up-at-a-conflict",
    says: "A transaction is not retried after a serialization failure.",
    text: 'code === "40001" || code === "40P01"',
    becomes: 'code === "40P01"',
    noticedBy: ["what passes is tried again"],
    needs: "database 40001"
  },
  {
    ...failures,
    name: "give-up-at-a-deadlock",
    says: "A transaction is not retried after a deadlock.",
    text: 'code === "40001" || code === "40P01"',
    becomes: 'code === "40001"',
    noticedBy: ["what passes is tried again"],
    needs: "database 40P01"
  },
  {
    ...failures,
    name: "give-up-what-was-rolled-back",
    says: "A transaction is not retried if its COMMIT got no answer and was rolled back.",
    text: '"40P01" || code === commitAborted',
    becomes: '"40P01"',
    noticedBy: ["what passes is tried again"],
    needs: "database commit-lost-aborted"
  },
  {
    ...failures,
    name: "call-a-shortage-a-bug",
    says: "A database that is out of memory counts as a defect of the program.",
    text: "/^(?:08|53|57P)|",
    becomes: "/^(?:08|57P)|",
    noticedBy: ["what passes is tried again"],
    needs: "database 53200"
  },
  {
    ...failures,
    name: "call-a-slow-statement-a-bug",
    says: "A statement timeout counts as a defect of the program.",
    text: "55P03|57014|25006",
    becomes: "55P03|25006",
    noticedBy: ["what passes is tried again"],
    needs: "database 57014"
  },
  {
    ...failures,
    name: "call-a-standby-a-bug",
    says: "A read-only database counts as a defect of the program.",
    text: "55P03|57014|25006",
    becomes: "55P03|57014",
    noticedBy: ["what passes is tried again"],
    needs: "database 25006"
  },
  {
    name: "refuse-what-cannot-be-noted",
    says: "An agent is refused if the last-used time of its token cannot be written.",
    file: "src/access/credential.ts",
    text: [
      "yield* Effect.catchDefect(writeUse(credential), (defect) =>",
      "    defect instanceof StorageUnavailable ? Effect.void : Effect.die(defect)",
      "  )"
    ].join("\n"),
    becomes: "yield* writeUse(credential)",
    noticedBy: ["a note stops nobody"],
    scenarios: ["182-what-only-goes-beside"],
    needs: "database at write"
  },
  {
    name: "try-a-ninth-time",
    says: "A delivery whose worker crashed in its last attempt gets one attempt beyond the limit.",
    file: "src/webhooks/claim.ts",
    text: "const taken = due.filter(hasAttemptLeft).slice",
    becomes: "const taken = due.slice",
    noticedBy: ["every delivery is somewhere", "attempts are counted"],
    scenarios: ["169-a-worker-dies-in-its-last-attempt"],
    needs: "crash of a worker after-commit"
  }
]
