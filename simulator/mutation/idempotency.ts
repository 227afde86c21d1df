/** Mutants of idempotency: replayed requests and retried transactions. */
import type { Mutant } from "./mutant.ts"

export const idempotencyMutants: ReadonlyArray<Mutant> = [
  {
    name: "no-idempotency-for-creation",
    says: "A replayed creation creates another agreement.",
    file: "src/projects/create.ts",
    text: [
      "    yield* recordRequest(transaction, request, projectId, now)",
      "    return { projectId, replayed: false as const, stored, actorOnProject: agentOnProject(live, by, now) }"
    ].join("\n"),
    becomes:
      "    return { projectId, replayed: false as const, stored, actorOnProject: agentOnProject(live, by, now) }",
    killedBy: ["at most one effect per request"],
    scenarios: ["races/agreement-created-once"]
  },
  {
    name: "idempotency-in-second-transaction",
    says: "The idempotency key is written in a second transaction after the effect.",
    file: "src/projects/create.ts",
    text: [
      "    yield* recordRequest(transaction, request, projectId, now)",
      "    return { projectId, replayed: false as const, stored, actorOnProject: agentOnProject(live, by, now) }",
      "  })"
    ].join("\n"),
    becomes: [
      "    return { projectId, replayed: false as const, stored, actorOnProject: agentOnProject(live, by, now) }",
      "  }).pipe((creating) =>",
      '    traced("projects.createAndRecord")(function* () {',
      "      const made = yield* creating",
      "      if (made.replayed) return made",
      "      yield* inTransaction({ locks: [] }, function* (after) {",
      "        yield* recordRequest(after, request, made.projectId, yield* after.now)",
      "      })",
      "      return made",
      "    })()",
      "  )"
    ].join("\n"),
    killedBy: ["at most one effect per request"],
    scenarios: ["races/agreement-created-once"]
  },
  {
    name: "global-creation-lock",
    says: "Creations of agreements by all tenants share one lock.",
    file: "src/projects/create.ts",
    text: 'exclusive("grant", by.grantId), exclusive("project", projectId)]',
    becomes: 'exclusive("grant", by.grantId), exclusive("project", projectId), exclusive("counter", "projects")]',
    killedBy: ["tenant isolation"],
    scenarios: ["races/agreement-created-once"]
  },
  {
    name: "no-fingerprint-check",
    says: "A request with a used id and another body gets the result of the first request.",
    file: "src/replay/idempotency.ts",
    text: 'return earlier.fingerprint === request.fingerprint ? Effect.succeed(true) : refuse("REQUEST_ID_CONFLICT")',
    becomes: "return Effect.succeed(true)",
    killedBy: ["request id identifies one request"],
    scenarios: ["races/one-key-for-two-requests"]
  },
  {
    name: "idempotency-by-credential",
    says: "Idempotency keys belong to a credential and are lost at its renewal.",
    file: "src/access/request.ts",
    text: "const { grantId } = yield* Caller",
    becomes: "const { grantId: lineage, generation } = yield* Caller\n    const grantId = `${lineage}.${generation}`",
    killedBy: ["at most one effect per request"],
    scenarios: ["races/replay-after-renewal"]
  },
  {
    name: "count-rolled-back-attempts",
    says: "The attempt number comes from a counter that a rolled back transaction does not reset.",
    file: "src/webhooks/attempt.ts",
    text: "const attempt = delivery.totalAttempts + 1",
    becomes: "const attempt = delivery.totalAttempts + (note.tries = (note.tries ?? 0) + 1)",
    killedBy: ["attempts are counted under a lease"],
    scenarios: ["races/worker-commit-failures"],
    needs: "database 40001"
  }
]
