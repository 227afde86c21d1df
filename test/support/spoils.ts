/** Faults of commands, each applicable to many of them. */
import type { Command } from "../../src/projects/decide.ts"
import type { Named } from "../../src/projects/requirements.ts"
import type { SignatureInput } from "../../src/projects/signing.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Caller, Sent } from "./pipeline.ts"
import { evidence } from "./project-commands.ts"
import { dana, digestOfLetter, uuidOf } from "./project-people.ts"

export interface Attempt {
  readonly caller: Caller
  readonly sent: Sent
  readonly named: Named | undefined
}

interface CommandFault {
  /** True if the fault changes this attempt. */
  readonly concerns: (attempt: Attempt) => boolean
  readonly spoil: (attempt: Attempt) => Attempt
}

/** The faults that apply to this attempt. */
export const spoilsOf = (attempt: Attempt): ReadonlyArray<CommandFault> =>
  commandFaults.filter(({ concerns }) => concerns(attempt))

const withInput = (changes: object): CommandFault => ({
  concerns: ({ sent }) => Object.keys(changes).some((member) => member in sent.command.input),
  spoil: ({ sent, ...attempt }) => {
    const known = Object.entries(changes).filter(([member]) => member in sent.command.input)
    const input = { ...sent.command.input, ...Object.fromEntries(known) }
    return { ...attempt, sent: { ...sent, command: { ...sent.command, input } as Command } }
  }
})

/** A faulty signature, if the agreement requires one, for each signing method. */
const withSignature = (signature: SignatureInput): CommandFault => ({
  ...withInput({ signature }),
  concerns: ({ sent: { command } }) =>
    (command.kind === "SIGN" || command.kind === "REVIEW") && command.input.signature?.method === signature.method
})

const withNamed = (named: Named): CommandFault => ({
  concerns: ({ sent }) => sent.command.kind === "CHANGE_REPRESENTATIVE",
  spoil: (attempt) => ({ ...attempt, named })
})

const withCaller = (changes: Partial<Caller>): CommandFault => ({
  concerns: () => true,
  spoil: ({ caller, ...attempt }) => ({ ...attempt, caller: { ...caller, ...changes } })
})

const commandFaults: ReadonlyArray<CommandFault> = [
  {
    concerns: () => true,
    spoil: ({ sent, ...attempt }) => ({ ...attempt, sent: { ...sent, expectedEventHash: digestOfLetter("0") } })
  },
  {
    concerns: ({ sent }) => sent.automationRevision !== null,
    spoil: ({ sent, ...attempt }) => ({ ...attempt, sent: { ...sent, automationRevision: 99 } })
  },
  {
    concerns: ({ sent }) => "signature" in sent.command.input,
    spoil: ({ caller, ...attempt }) => ({ ...attempt, caller: { ...caller, isSignedInLately: false } })
  },
  withCaller({ holds: [] }),
  withNamed({ isMemberOfSupplier: false, tookOtherSide: false }),
  withNamed({ isMemberOfSupplier: true, tookOtherSide: true }),
  withInput({ agreementDigest: digestOfLetter("0") }),
  withInput({ actorId: `person_${uuidOf(9)}` }),
  withInput({ actorRole: "BUYER" }),
  withInput({ confirmationId: `confirmation_${uuidOf(9)}` }),
  withInput({ previousSubmissionId: `submission_${uuidOf(9)}`, submissionId: `submission_${uuidOf(9)}` }),
  withInput({ respondsToReviewId: `review_${uuidOf(9)}` }),
  withInput({ items: [], decisions: [] }),
  withInput({ checkedFiles: [] }),
  withInput({ confirmationDigest: digestOfLetter("0") }),
  withInput({ supplierActorId: dana.personId }),
  withInput({ signature: undefined }),
  withSignature({ method: "NATIVE", digest: digestOfLetter("0") }),
  withSignature({ method: "EXTERNAL", evidence: { ...evidence, signedAt: "2030-01-01T00:00:00.000Z" as Instant } })
]
