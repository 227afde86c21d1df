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

export const faultHandlingMutants: ReadonlyArray<Mutant> = [
  {
    name: "no-head-check-for-update",
    says: "A new version of a proposal is committed on any later head.",
    file: "src/proposals/commit.ts",
    text: "expectedProposalHead === row.headEventHash",
    becomes: 'by.side === "SUPPLIER" || expectedProposalHead === row.headEventHash',
    killedBy: ["no command on a stale head"],
    scenarios: ["races/lost-update-request"],
    needs: "lost-request"
  },
  {
    name: "no-credential-replay-for-poll",
    says: "A poll after the credential was created is answered that the connection has ended.",
    file: "src/access/connections.ts",
    text: "} else if (!isRecoverable(credential, now)) return",
    becomes: "} else return",
    killedBy: ["lost credential is recoverable"],
    scenarios: ["races/lost-credential"],
    needs: "lost-answer"
  },
  {
    name: "no-credential-in-replay",
    says: "The replay of a person's credential request does not return the credential.",
    file: "src/access/credential.ts",
    text: "made === undefined || !isRecoverable(credential, now)) {",
    becomes: "made === undefined || credential.createdAt <= now) {",
    killedBy: ["lost credential is recoverable"],
    scenarios: ["races/lost-credential"],
    needs: "crash after-commit"
  },
  {
    name: "never-release-issuance-request",
    says: "An issuance request stays leased to its process, even if that process ends before the record is issued.",
    file: "src/projects/issuance.ts",
    text: '    leasedUntil: now,\n    leaseToken: ""\n  }',
    becomes: '    leasedUntil: never,\n    leaseToken: ""\n  }',
    killedBy: ["issuance request is processed"],
    scenarios: ["races/crash-before-issuance"],
    needs: "crash before-commit"
  },
  {
    name: "no-commit-proof",
    says: "An ended transaction counts as rolled back, even with a proof of its commit.",
    file: "src/ports/storage/indeterminate-commit.ts",
    text: 'if (said.isProven) return "committed"',
    becomes: "",
    killedBy: ["at most one effect per request"],
    scenarios: ["races/lost-commit-answers"],
    needs: "database commit-lost-committed"
  },
  {
    name: "no-wait-for-running-commit",
    says: "A transaction that is still running counts as rolled back.",
    file: "src/ports/storage/indeterminate-commit.ts",
    text: 'return said.isRunning ? "ask again" : "aborted"',
    becomes: 'return "aborted"',
    killedBy: ["at most one effect per request"],
    scenarios: ["races/lost-commit-answers"],
    needs: "database commit-lost-running"
  },
  {
    name: "email-refusal-fails-command",
    says: "A mail server that refuses an e-mail makes its command fail.",
    file: "src/projects/notification.ts",
    text: "Effect.catch(({ reason }) =>",
    becomes: 'Effect.catch(({ reason }) => reason !== "timeout" ? Effect.die(new Error(reason)) :',
    killedBy: ["email failure does not affect response"],
    scenarios: ["races/email-failures"],
    needs: "mail refusing"
  },
  {
    name: "email-timeout-delays-response",
    says: "A response waits for a silent mail server as long as a sign-in waits for its provider.",
    file: "src/projects/notification.ts",
    text: "Effect.timeoutOption(limits.mail)",
    becomes: "Effect.timeoutOption(limits.signInProvider)",
    killedBy: ["email failure does not affect response"],
    scenarios: ["races/email-failures"],
    needs: "mail silent"
  },
  {
    name: "provider-outage-ends-session",
    says: "A new sign-in ends the current session if the provider is not reachable.",
    file: "src/people/sessions.ts",
    text: "const identity = yield* proof",
    becomes: signOutAt("TEMPORARILY_UNAVAILABLE"),
    killedBy: ["refused sign-in changes no session"],
    scenarios: ["races/step-up-refused"],
    needs: "provider down"
  },
  {
    name: "denied-sign-in-ends-session",
    says: "A new sign-in that the person cancels at the provider ends the current session.",
    file: "src/people/sessions.ts",
    text: "const identity = yield* proof",
    becomes: signOutAt("SIGN_IN_FAILED"),
    killedBy: ["refused sign-in changes no session"],
    scenarios: ["races/step-up-refused"],
    needs: "provider denying"
  },
  {
    name: "debit-without-signature",
    says: "A record that cannot be signed is postponed, and its credit is debited.",
    file: "src/records/issuance.ts",
    text: 'recordId: ids.next("record"), now: at })\n',
    becomes: 'recordId: ids.next("record"), now: at }).pipe(Effect.catchTag("Refusal", () => Effect.void))\n',
    killedBy: ["credits are conserved"],
    scenarios: ["races/issuance-without-key"],
    needs: "issuer keys missing"
  },
  {
    name: "check-documents-against-request",
    says: "An agreement is checked against the legal documents that its own request names.",
    file: "src/projects/new-project.ts",
    text: "checkCreation(input, facts.documents)",
    becomes: "checkCreation(input, input.legalContext?.documents ?? facts.documents)",
    killedBy: ["agreement uses current legal documents"],
    scenarios: ["races/legal-document-change"],
    needs: "legal documents changed"
  }
]
