/** Bugs in what a failure of the store means, and in what is left by a process that dies between two of its commits. */
import type { Mutant } from "./mutant.ts"

const failures = { file: "src/ports/attempts.ts", scenarios: ["168-a-store-that-fails-an-agent"] } as const

export const mutantsOfTheStore: ReadonlyArray<Mutant> = [
  {
    name: "run-again-without-looking",
    says: "A transaction of which nobody knows what became is run once more.",
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
    says: "A transaction whose connection breaks before its commit is not run again.",
    text: 'if (code === connectionLost) return "reconnect"',
    becomes: 'if (code === connectionLost) return "unavailable"',
    noticedBy: ["what passes is tried again"],
    needs: "database connection-lost"
  },
  {
    ...failures,
    name: "give-up-at-a-conflict",
    says: "A transaction that cannot be put in order with another is not run again.",
    text: 'code === "40001" || code === "40P01"',
    becomes: 'code === "40P01"',
    noticedBy: ["what passes is tried again"],
    needs: "database 40001"
  },
  {
    ...failures,
    name: "give-up-at-a-deadlock",
    says: "A transaction that was ended because of a deadlock is not run again.",
    text: 'code === "40001" || code === "40P01"',
    becomes: 'code === "40001"',
    noticedBy: ["what passes is tried again"],
    needs: "database 40P01"
  },
  {
    ...failures,
    name: "give-up-what-was-rolled-back",
    says: "A transaction that turned out to be rolled back once the answer to its COMMIT was lost is not run again.",
    text: '"40P01" || code === commitAborted',
    becomes: '"40P01"',
    noticedBy: ["what passes is tried again"],
    needs: "database commit-lost-aborted"
  },
  {
    ...failures,
    name: "call-a-shortage-a-bug",
    says: "A database that is out of memory counts as an error of the program.",
    text: "/^(?:08|53|57P)|",
    becomes: "/^(?:08|57P)|",
    noticedBy: ["what passes is tried again"],
    needs: "database 53200"
  },
  {
    ...failures,
    name: "call-a-slow-statement-a-bug",
    says: "A statement that was cancelled because it took too long counts as an error of the program.",
    text: "55P03|57014|25006",
    becomes: "55P03|25006",
    noticedBy: ["what passes is tried again"],
    needs: "database 57014"
  },
  {
    ...failures,
    name: "call-a-standby-a-bug",
    says: "A database that takes no writes counts as an error of the program.",
    text: "55P03|57014|25006",
    becomes: "55P03|57014",
    noticedBy: ["what passes is tried again"],
    needs: "database 25006"
  },
  {
    name: "refuse-what-cannot-be-noted",
    says: "An agent is refused where it cannot be noted that its token was used once more.",
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
    says: "A delivery whose worker died in its last attempt is tried once more than it may be.",
    file: "src/webhooks/claim.ts",
    text: "const taken = due.filter(hasAttemptLeft).slice",
    becomes: "const taken = due.slice",
    noticedBy: ["every delivery is somewhere", "attempts are counted"],
    scenarios: ["169-a-worker-dies-in-its-last-attempt"],
    needs: "crash of a worker after-commit"
  }
]
