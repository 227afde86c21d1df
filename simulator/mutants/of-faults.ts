/** Mutants of fault handling: without a fault none of them is killed. */
import type { Mutant } from "./mutant.ts"

/** Ends the current session if the proof fails with this code. */
const signOutAt = (code: string): string =>
  [
    "const identity = yield* Effect.tapError(proof, (refused) =>",
    "  Effect.gen(function* () {",
    `    if (refused.code !== "${code}") return`,
    '    const { current = "" } = yield* optionsFor({})',
    "    const storage = yield* Storage",
    "    const { tokenHash } = yield* Secrets",
    '    const session = yield* storage.view((reader) => reader.find(Sessions, "byToken", [tokenHash(current)]))',
    "    if (session !== undefined) yield* endSession(session)",
    "  })",
    ")"
  ].join("\n")

export const mutantsOfFaults: ReadonlyArray<Mutant> = [
  {
    name: "look-at-the-version-alone",
    says: "A new version of a proposal is committed on any later head.",
    file: "src/proposals/commit.ts",
    text: 'if (expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD", { current })',
    becomes:
      'if (by.side === "BUYER" && expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD")',
    noticedBy: ["no command on a stale head"],
    scenarios: ["188-an-update-that-never-arrived"],
    needs: "lost-request"
  },
  {
    name: "show-it-once",
    says: "A poll after the credential was created is answered that the connection has ended.",
    file: "src/access/connections.ts",
    text: "} else if (!canBeShownAgain(credential, now)) return",
    becomes: "} else return",
    noticedBy: ["a lost secret is shown again"],
    scenarios: ["189-a-credential-that-never-arrived"],
    needs: "lost-answer"
  },
  {
    name: "show-a-replay-nothing",
    says: "The replay of a person's credential request does not return the credential.",
    file: "src/access/credential.ts",
    text: "made === undefined || !canBeShownAgain(credential, now)) {",
    becomes: "made === undefined || credential.createdAt <= now) {",
    noticedBy: ["a lost secret is shown again"],
    scenarios: ["189-a-credential-that-never-arrived"],
    needs: "crash after-commit"
  },
  {
    name: "lease-a-wish-to-its-request",
    says: "An issuance request stays leased to its process, even if that process ends before the record is issued.",
    file: "src/projects/issuance.ts",
    text: '    leasedUntil: now,\n    leaseToken: ""\n  }',
    becomes: '    leasedUntil: never,\n    leaseToken: ""\n  }',
    noticedBy: ["a wish for a record is looked at"],
    scenarios: ["191-a-process-ends-before-a-record"],
    needs: "crash before-commit"
  },
  {
    name: "look-for-no-proof",
    says: "An ended transaction counts as rolled back, even with a proof of its commit.",
    file: "src/ports/lost-commit.ts",
    text: 'if (said.isProven) return "committed"',
    becomes: "",
    noticedBy: ["one request, one effect"],
    scenarios: ["190-commits-whose-answers-are-lost"],
    needs: "database commit-lost-committed"
  },
  {
    name: "wait-for-nobody",
    says: "A transaction that is still running counts as rolled back.",
    file: "src/ports/lost-commit.ts",
    text: 'return said.isRunning ? "ask again" : "aborted"',
    becomes: 'return "aborted"',
    noticedBy: ["one request, one effect"],
    scenarios: ["190-commits-whose-answers-are-lost"],
    needs: "database commit-lost-running"
  },
  {
    name: "bear-silence-alone",
    says: "A mail server that refuses an e-mail makes its command fail.",
    file: "src/projects/notice.ts",
    text: "Effect.catch(({ reason }) =>",
    becomes: 'Effect.catch(({ reason }) => reason !== "timeout" ? Effect.die(new Error(reason)) :',
    noticedBy: ["a letter changes no answer"],
    scenarios: ["192-letters-that-nobody-takes"],
    needs: "mail refusing"
  },
  {
    name: "wait-for-the-mail",
    says: "A response waits for a silent mail server as long as a sign-in waits for its provider.",
    file: "src/projects/notice.ts",
    text: "Effect.timeoutOption(limits.mail)",
    becomes: "Effect.timeoutOption(limits.signInProvider)",
    noticedBy: ["a letter changes no answer"],
    scenarios: ["192-letters-that-nobody-takes"],
    needs: "mail silent"
  },
  {
    name: "sign-out-without-a-provider",
    says: "A new sign-in ends the current session if the provider is not reachable.",
    file: "src/people/sessions.ts",
    text: "const identity = yield* proof",
    becomes: signOutAt("TEMPORARILY_UNAVAILABLE"),
    noticedBy: ["a refused sign-in changes nothing"],
    scenarios: ["193-nobody-vouches"],
    needs: "provider down"
  },
  {
    name: "sign-out-whoever-is-denied",
    says: "A new sign-in that the person cancels at the provider ends the current session.",
    file: "src/people/sessions.ts",
    text: "const identity = yield* proof",
    becomes: signOutAt("SIGN_IN_FAILED"),
    noticedBy: ["a refused sign-in changes nothing"],
    scenarios: ["193-nobody-vouches"],
    needs: "provider denying"
  },
  {
    name: "pay-for-what-cannot-be-signed",
    says: "A record that cannot be signed is postponed, and its credit is debited.",
    file: "src/records/issuance.ts",
    text: 'recordId: ids.next("record"), now: at })\n',
    becomes: 'recordId: ids.next("record"), now: at }).pipe(Effect.catchTag("Refused", () => Effect.void))\n',
    noticedBy: ["credits are conserved"],
    scenarios: ["194-a-record-without-a-key"],
    needs: "issuer keys missing"
  },
  {
    name: "agree-on-what-is-named",
    says: "An agreement is checked against the legal documents that its own request names.",
    file: "src/projects/new-project.ts",
    text: "checkCreation(input, facts.documents)",
    becomes: "checkCreation(input, input.legalContext?.documents ?? facts.documents)",
    noticedBy: ["agreed under the documents in force"],
    scenarios: ["195-other-documents"],
    needs: "legal documents changed"
  }
]
