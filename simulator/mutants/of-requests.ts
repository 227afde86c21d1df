/** Mutants of idempotency: replayed requests and retried transactions. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfRequests: ReadonlyArray<Mutant> = [
  {
    name: "remember-no-creation",
    says: "A replayed creation creates another agreement.",
    file: "src/projects/create.ts",
    text: [
      "      yield* rememberRequest(transaction, request, projectId, now)",
      "      return { projectId, replayed: false as const, stored, entered: entered(live, by, now) }"
    ].join("\n"),
    becomes: "      return { projectId, replayed: false as const, stored, entered: entered(live, by, now) }",
    noticedBy: ["one request, one effect"],
    scenarios: ["153-made-once"]
  },
  {
    name: "remember-in-another-transaction",
    says: "The idempotency key is written in a second transaction after the effect.",
    file: "src/projects/create.ts",
    text: [
      "      yield* rememberRequest(transaction, request, projectId, now)",
      "      return { projectId, replayed: false as const, stored, entered: entered(live, by, now) }",
      "    })",
      "  )"
    ].join("\n"),
    becomes: [
      "      return { projectId, replayed: false as const, stored, entered: entered(live, by, now) }",
      "    })",
      "  ).pipe(",
      "    Effect.tap((made) =>",
      "      made.replayed",
      "        ? Effect.void",
      "        : storage.transaction({ roots: [] }, (after) =>",
      "            Effect.flatMap(after.now, (now) => rememberRequest(after, request, made.projectId, now))",
      "          )",
      "    )",
      "  )"
    ].join("\n"),
    noticedBy: ["one request, one effect"],
    scenarios: ["153-made-once"]
  },
  {
    name: "one-lock-for-all",
    says: "Creations of agreements by all tenants share one lock.",
    file: "src/projects/create.ts",
    text: 'exclusive("grant", by.grantId), exclusive("project", projectId)]',
    becomes: 'exclusive("grant", by.grantId), exclusive("project", projectId), exclusive("counter", "projects")]',
    noticedBy: ["others change nothing"],
    scenarios: ["153-made-once"]
  },
  {
    name: "any-request-of-that-id",
    says: "A request with a used id and another body gets the result of the first request.",
    file: "src/replay/replay.ts",
    text: 'return earlier.fingerprint === request.fingerprint ? Effect.succeed(true) : refuse("REQUEST_ID_CONFLICT")',
    becomes: "return Effect.succeed(true)",
    noticedBy: ["a request id means one request"],
    scenarios: ["154-one-id-for-two-requests"]
  },
  {
    name: "forget-requests-with-their-credential",
    says: "Idempotency keys belong to a credential and are lost at its renewal.",
    file: "src/access/request.ts",
    text: "const { grantId } = yield* Caller",
    becomes: "const { grantId: lineage, generation } = yield* Caller\n    const grantId = `${lineage}.${generation}`",
    noticedBy: ["one request, one effect"],
    scenarios: ["155-asked-again-after-a-renewal"]
  },
  {
    name: "count-what-was-rolled-back",
    says: "The attempt number comes from a counter that a rolled back transaction does not reset.",
    file: "src/webhooks/attempt.ts",
    text: "const attempt = delivery.totalAttempts + 1",
    becomes: "const attempt = delivery.totalAttempts + (note.tries = (note.tries ?? 0) + 1)",
    noticedBy: ["attempts are counted"],
    scenarios: ["157-a-worker-whose-commits-fail"],
    needs: "database 40001"
  }
]
