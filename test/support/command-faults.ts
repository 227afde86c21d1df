/** Faults of commands, each applicable to many of them. */
import type { Command } from "../../src/projects/decide.ts"
import type { RepresentativeFacts } from "../../src/projects/requirements.ts"
import type { SignatureInput } from "../../src/projects/signing.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Caller, CommandRequest } from "./command-pipeline.ts"
import { evidence } from "./project-commands.ts"
import { dana, digestOfCharacter, uuidOf } from "./project-people.ts"

export interface CommandAttempt {
  readonly caller: Caller
  readonly request: CommandRequest
  readonly named: RepresentativeFacts | undefined
}

interface CommandFault {
  /** True if the fault changes this attempt. */
  readonly concerns: (attempt: CommandAttempt) => boolean
  readonly spoil: (attempt: CommandAttempt) => CommandAttempt
}

/** The faults that apply to this attempt. */
export const applicableFaults = (attempt: CommandAttempt): ReadonlyArray<CommandFault> =>
  commandFaults.filter(({ concerns }) => concerns(attempt))

const withInput = (changes: object): CommandFault => ({
  concerns: ({ request }) => Object.keys(changes).some((member) => member in request.command.input),
  spoil: ({ request, ...attempt }) => {
    const known = Object.entries(changes).filter(([member]) => member in request.command.input)
    const input = { ...request.command.input, ...Object.fromEntries(known) }
    return { ...attempt, request: { ...request, command: { ...request.command, input } as Command } }
  }
})

/** A faulty signature, if the agreement requires one, for each signing method. */
const withSignature = (signature: SignatureInput): CommandFault => ({
  ...withInput({ signature }),
  concerns: ({ request: { command } }) =>
    (command.kind === "SIGN" || command.kind === "REVIEW") && command.input.signature?.method === signature.method
})

const withNamed = (named: RepresentativeFacts): CommandFault => ({
  concerns: ({ request }) => request.command.kind === "CHANGE_REPRESENTATIVE",
  spoil: (attempt) => ({ ...attempt, named })
})

const withCaller = (changes: Partial<Caller>): CommandFault => ({
  concerns: () => true,
  spoil: ({ caller, ...attempt }) => ({ ...attempt, caller: { ...caller, ...changes } })
})

const commandFaults: ReadonlyArray<CommandFault> = [
  {
    concerns: () => true,
    spoil: ({ request, ...attempt }) => ({
      ...attempt,
      request: { ...request, expectedEventHash: digestOfCharacter("0") }
    })
  },
  {
    concerns: ({ request }) => request.automationRevision !== null,
    spoil: ({ request, ...attempt }) => ({ ...attempt, request: { ...request, automationRevision: 99 } })
  },
  {
    concerns: ({ request }) => "signature" in request.command.input,
    spoil: ({ caller, ...attempt }) => ({ ...attempt, caller: { ...caller, isSignedInLately: false } })
  },
  withCaller({ holds: [] }),
  withNamed({ isMemberOfSupplier: false, tookOtherSide: false }),
  withNamed({ isMemberOfSupplier: true, tookOtherSide: true }),
  withInput({ agreementDigest: digestOfCharacter("0") }),
  withInput({ actorId: `person_${uuidOf(9)}` }),
  withInput({ actorRole: "BUYER" }),
  withInput({ confirmationId: `confirmation_${uuidOf(9)}` }),
  withInput({ previousSubmissionId: `submission_${uuidOf(9)}`, submissionId: `submission_${uuidOf(9)}` }),
  withInput({ respondsToReviewId: `review_${uuidOf(9)}` }),
  withInput({ items: [], decisions: [] }),
  withInput({ checkedFiles: [] }),
  withInput({ confirmationDigest: digestOfCharacter("0") }),
  withInput({ supplierActorId: dana.personId }),
  withInput({ signature: undefined }),
  withSignature({ method: "NATIVE", digest: digestOfCharacter("0") }),
  withSignature({ method: "EXTERNAL", evidence: { ...evidence, signedAt: "2030-01-01T00:00:00.000Z" as Instant } })
]
