/** Mutants of storage failures: transient errors, unknown commits, and crashes between two commits. */
import type { Mutant } from "./mutant.ts"

const failures = {
  file: "src/ports/storage/transaction-retry.ts",
  scenarios: ["races/transient-errors-of-agent-requests"]
} as const

export const storageMutants: ReadonlyArray<Mutant> = [
  {
    name: "retry-unknown-commit",
    says: "A transaction with an unknown outcome is retried.",
    file: "src/ports/storage/transaction-retry.ts",
    text: 'OUTCOME_UNKNOWN: "unavailable"',
    becomes: 'OUTCOME_UNKNOWN: "reconnect"',
    killedBy: ["at most one effect per request"],
    scenarios: ["races/secret-rotated-once"],
    needs: "database commit-lost-unknown"
  },
  {
    ...failures,
    name: "no-retry-after-connection-loss",
    says: "A transaction whose connection is lost before its commit is not retried.",
    text: 'CONNECTION_LOST: "reconnect"',
    becomes: 'CONNECTION_LOST: "unavailable"',
    killedBy: ["transient errors are retried"],
    needs: "database connection-lost"
  },
  {
    ...failures,
    name: "no-retry-after-serialization-failure",
    says: "A transaction is not retried after a serialization failure.",
    text: 'SERIALIZATION: "conflict"',
    becomes: 'SERIALIZATION: "defect"',
    killedBy: ["transient errors are retried"],
    needs: "database 40001"
  },
  {
    ...failures,
    name: "no-retry-after-deadlock",
    says: "A transaction is not retried after a deadlock.",
    text: 'DEADLOCK: "conflict"',
    becomes: 'DEADLOCK: "defect"',
    killedBy: ["transient errors are retried"],
    needs: "database 40P01"
  },
  {
    ...failures,
    name: "no-retry-after-proven-rollback",
    says: "A transaction is not retried if its COMMIT got no answer and was rolled back.",
    text: 'COMMIT_ABORTED: "conflict"',
    becomes: 'COMMIT_ABORTED: "defect"',
    killedBy: ["transient errors are retried"],
    needs: "database commit-lost-aborted"
  },
  {
    ...failures,
    name: "out-of-memory-is-defect",
    says: "A database that is out of memory counts as a defect of the program.",
    text: "/^(?:08|53|57P)/",
    becomes: "/^(?:08|57P)/",
    killedBy: ["transient errors are retried"],
    needs: "database 53200"
  },
  {
    ...failures,
    name: "statement-timeout-is-defect",
    says: "A statement timeout counts as a defect of the program.",
    text: 'STATEMENT_TIMEOUT: "unavailable"',
    becomes: 'STATEMENT_TIMEOUT: "defect"',
    killedBy: ["transient errors are retried"],
    needs: "database 57014"
  },
  {
    ...failures,
    name: "read-only-database-is-defect",
    says: "A read-only database counts as a defect of the program.",
    text: 'READ_ONLY: "unavailable"',
    becomes: 'READ_ONLY: "defect"',
    killedBy: ["transient errors are retried"],
    needs: "database 25006"
  },
  {
    name: "refuse-without-last-used-update",
    says: "An agent is refused if the last-used time of its token cannot be written.",
    file: "src/access/credential.ts",
    text: [
      "yield* Effect.catchDefect(writeUse(credential), (defect) =>",
      "    defect instanceof StorageUnavailable ? Effect.void : Effect.die(defect)",
      "  )"
    ].join("\n"),
    becomes: "yield* writeUse(credential)",
    killedBy: ["last-used update is best-effort"],
    scenarios: ["races/best-effort-writes"],
    needs: "database at write"
  },
  {
    name: "attempt-beyond-limit",
    says: "A delivery whose worker crashed in its last attempt gets one attempt beyond the limit.",
    file: "src/webhooks/claim.ts",
    text: "const taken = due.filter(hasAttemptLeft).slice",
    becomes: "const taken = due.slice",
    killedBy: ["no delivery is lost", "attempts are counted under a lease"],
    scenarios: ["races/crash-in-last-attempt"],
    needs: "worker crash after-commit"
  }
]
