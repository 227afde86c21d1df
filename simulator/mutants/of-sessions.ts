/** Bugs in what ends with a session of a person, or with the task of somebody's assistant. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfSessions: ReadonlyArray<Mutant> = [
  {
    name: "ask-for-the-session-at-the-door-alone",
    says: "A draft is saved in a session that was ended after the request came in.",
    file: "src/drafts/handling.ts",
    text: "yield* requireHuman(transaction, by, now)",
    becomes: "",
    noticedBy: ["answered means over"],
    scenarios: ["196-a-command-beside-a-sign-out"]
  },
  {
    name: "ask-for-the-assistant-at-the-door-alone",
    says: "A note is added under a credential that its person has ended since.",
    file: "src/participation/operations.ts",
    text: "const { noteCount } = yield* requireLiveItem(transaction, assistant, now)",
    becomes: "const { noteCount } = (yield* transaction.get(ParticipationItems, [itemId]))!",
    noticedBy: ["answered means over"],
    scenarios: ["197-a-note-beside-the-end-of-its-program"]
  },
  {
    name: "outlive-the-session",
    says: "An assistant goes on when the session in which it was made has ended.",
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
