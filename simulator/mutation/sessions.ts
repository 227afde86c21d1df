/** Mutants of the end of a session, and of the credential of an assistant. */
import type { Mutant } from "./mutant.ts"

export const sessionMutants: ReadonlyArray<Mutant> = [
  {
    name: "no-session-recheck-in-transaction",
    says: "A draft is saved in a session that ended after the request was authenticated.",
    file: "src/drafts/draft-authorization.ts",
    text: "yield* requireSession(transaction, by, now)",
    becomes: "",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/sign-out-and-command"]
  },
  {
    name: "no-credential-recheck-for-note",
    says: "A note is added under a credential that its person has ended meanwhile.",
    file: "src/participation/operations.ts",
    text: "const { noteCount } = yield* requireLiveItem(transaction, assistant, now)",
    becomes: "const { noteCount } = (yield* transaction.get(ParticipationItems, [itemId]))!",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/assistant-end-and-note"]
  },
  {
    name: "credential-outlives-session",
    says: "The credential of an assistant outlives the session in which it was created.",
    file: "src/participation/credential.ts",
    text: [
      "return yield* requireSession(reader, credential, now).pipe(",
      "    Effect.as({ credential, item }),",
      '    Effect.catchTag("Refusal", () => Effect.undefined)',
      "  )"
    ].join("\n"),
    becomes: "return { credential, item }",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/sign-out-and-note"]
  }
]
