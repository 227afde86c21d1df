/** Mutants of the end of a session, and of the credential of an assistant. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfSessions: ReadonlyArray<Mutant> = [
  {
    name: "ask-for-the-session-at-the-door-alone",
    says: "A draft is saved in a session that ended after the request was authenticated.",
    file: "src/drafts/handling.ts",
    text: "yield* requireHuman(transaction, by, now)",
    becomes: "",
    noticedBy: ["answered means over"],
    scenarios: ["196-a-command-beside-a-sign-out"]
  },
  {
    name: "ask-for-the-assistant-at-the-door-alone",
    says: "A note is added under a credential that its person has ended meanwhile.",
    file: "src/participation/operations.ts",
    text: "const { noteCount } = yield* requireLiveItem(transaction, assistant, now)",
    becomes: "const { noteCount } = (yield* transaction.get(ParticipationItems, [itemId]))!",
    noticedBy: ["answered means over"],
    scenarios: ["197-a-note-beside-the-end-of-its-program"]
  },
  {
    name: "outlive-the-session",
    says: "The credential of an assistant outlives the session in which it was created.",
    file: "src/participation/credential.ts",
    text: [
      "return yield* requireHuman(reader, credential, now).pipe(",
      "    Effect.as({ credential, item }),",
      '    Effect.catchTag("Refused", () => Effect.undefined)',
      "  )"
    ].join("\n"),
    becomes: "return { credential, item }",
    noticedBy: ["answered means over"],
    scenarios: ["198-a-note-beside-a-sign-out"]
  }
]
