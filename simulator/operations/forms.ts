/** Every operation a script can name, who can do it, and the form of its input where the script has words of its own. */
import { Schema } from "effect"
import { SpecificationContent } from "../../src/discovery/input.ts"
import { actions, humanDecisions, roles } from "../../src/access/actions.ts"
import { keyPurposes } from "../../src/ports/signer.ts"
import { roles as processRoles } from "../processes/process.ts"
import { Answers, Name, Offset } from "../script/words.ts"
import { Visit } from "../callbacks/visit.ts"
import { mailServers, providerStates } from "../surroundings.ts"
import { apiOperations, parametersOf, publicOperations, type ApiOperation } from "./api.ts"
import { workspaceOperations } from "./workspace.ts"

export type ActorKind = "person" | "agent" | "visitor" | "operator" | "receiver"

export interface OperationForm {
  readonly by: ReadonlyArray<ActorKind>
  /** How many things a step names as what it acts on. */
  readonly actsOn: number
  /** Keys of a step that only some operations understand. */
  readonly understands: ReadonlyArray<"envelope" | "inject" | "with" | "meanwhile" | "within">
  /** True where a request is sent that can be sent again. */
  readonly isRequest: boolean
  /** Undefined where the input is sent as it stands, so that a script can also send what is wrong. */
  readonly input: Schema.Codec<any, any> | undefined
}

const SubjectRequirement = Schema.Struct({
  id: Schema.String,
  statement: Schema.String,
  humanDecisions: Schema.Array(Schema.Literals(humanDecisions))
})

/** A person lets an agent act; from then on the agent is an actor of that name. */
export const GrantAgent = Schema.Struct({
  agent: Name,
  /** May be left out by a person with one membership. */
  organization: Schema.optionalKey(Schema.String),
  role: Schema.Literals(roles),
  actions: Schema.Array(Schema.Literals(actions)),
  projects: Schema.optionalKey(Schema.Array(Schema.String)),
  proposals: Schema.optionalKey(Schema.Array(Schema.String)),
  subjectRequirements: Schema.optionalKey(Schema.Array(SubjectRequirement)),
  expiresAt: Schema.optionalKey(Schema.String)
})

/** A signed-in person replaces an agent's token and hands it the new one. */
export const RenewGrant = Schema.Struct({
  agent: Schema.String,
  /** As last seen where absent. */
  expectedGeneration: Schema.optionalKey(Schema.Int),
  expiresAt: Schema.optionalKey(Schema.String)
})

export const RevokeGrant = Schema.Struct({ agent: Schema.String })
export const EndMembership = Schema.Struct({ person: Schema.String, organization: Schema.String })
export const GrantCredits = Schema.Struct({
  organization: Schema.String,
  credits: Schema.Int,
  reference: Schema.String
})
export const SetMailServer = Schema.Struct({ state: Schema.Literals(mailServers) })
/** What becomes of the next attempts to call a receiver back, one after the other, and of all after them. */
export const SetReceiver = Schema.Struct({
  receiver: Schema.String,
  next: Schema.optionalKey(Schema.Array(Visit)),
  otherwise: Schema.optionalKey(Visit),
  clock: Schema.optionalKey(Offset)
})
/** What the public DNS says from now on. */
export const SetZone = Schema.Struct({ name: Schema.String, answers: Answers })
export const SetProvider = Schema.Struct({ provider: Schema.String, state: Schema.Literals(providerStates) })
export const SetClock = Schema.Struct({ process: Schema.Literals(processRoles), offset: Offset })
/** The purposes for which the issuer has a key from now on. */
export const SetKeys = Schema.Struct({ purposes: Schema.Array(Schema.Literals(keyPurposes)) })
/** Lets go on what stalls there. */
export const GoOn = Schema.Struct({ receiver: Schema.String })
/** A program of one's own answers in the place of a receiver. */
export const AttachProgram = Schema.Struct({ receiver: Schema.String })
/** A receiver signs bytes of its own with the secret it has, as if the service had sent them. */
export const SignBytes = Schema.Struct({ rawBody: Schema.String })
export const TakeSecret = Schema.Struct({ secret: Schema.String })
export const ChangeLegalDocuments = Schema.Struct({
  documents: Schema.Array(Schema.Struct({ kind: Schema.String, version: Schema.String, text: Schema.String }))
})
export const Pause = Schema.Struct({ reason: Schema.String })
const Nothing = Schema.Struct({})

/** Artifact and status as they were answered, with an authority policy; the moment is the current one where absent. */
export const Verify = Schema.Struct({
  artifact: Schema.Json,
  status: Schema.optionalKey(Schema.Json),
  authority: Schema.optionalKey(Schema.Json),
  checkedAt: Schema.optionalKey(Schema.String)
})

const everyone: ReadonlyArray<ActorKind> = ["person", "agent", "visitor", "operator"]

/** What a request can carry or meet beside its input. */
const ofChange = ["inject", "meanwhile"] as const
const ofRequest = ["inject", "with"] as const

/** What an operator does, and what the service does by itself from time to time. */
const byOperator = (input: OperationForm["input"]): OperationForm => ({
  by: ["operator"],
  actsOn: 0,
  understands: [],
  isRequest: false,
  input
})

const byReceiver = (input: OperationForm["input"]): OperationForm => ({ ...byOperator(input), by: ["receiver"] })

const ownWords: { readonly [name: string]: OperationForm } = {
  signIn: { by: ["person"], actsOn: 0, understands: [], isRequest: false, input: Nothing },
  grantAgent: { by: ["person"], actsOn: 0, understands: ofChange, isRequest: true, input: GrantAgent },
  renewGrant: { by: ["person"], actsOn: 0, understands: ofChange, isRequest: true, input: RenewGrant },
  revokeGrant: {
    by: ["person", "operator"],
    actsOn: 0,
    understands: ofChange,
    isRequest: true,
    input: RevokeGrant
  },
  // An agent may try: that it is refused is worth a scenario.
  pauseProject: { by: ["person", "agent"], actsOn: 1, understands: ofChange, isRequest: true, input: Pause },
  resumeProject: { by: ["person", "agent"], actsOn: 1, understands: ofChange, isRequest: true, input: Pause },
  endMembership: {
    by: ["person", "operator"],
    actsOn: 0,
    understands: ofChange,
    isRequest: true,
    input: EndMembership
  },
  sweepConnections: byOperator(Nothing),
  issueDueRecords: byOperator(Nothing),
  grantCredits: byOperator(GrantCredits),
  changeLegalDocuments: byOperator(ChangeLegalDocuments),
  setMailServer: byOperator(SetMailServer),
  setProvider: byOperator(SetProvider),
  setClock: byOperator(SetClock),
  setKeys: byOperator(SetKeys),
  setZone: byOperator(SetZone),
  setReceiver: byOperator(SetReceiver),
  goOn: byOperator(GoOn),
  attachProgram: byOperator(AttachProgram),
  startWorker: byOperator(Nothing),
  stopWorker: byOperator(Nothing),
  crashWorker: byOperator(Nothing),
  takeSecret: byReceiver(TakeSecret),
  signBytes: byReceiver(SignBytes),
  received: { ...byReceiver(Nothing), understands: ["within"] },
  publishSpecification: byOperator(SpecificationContent),
  verify: { by: everyone, actsOn: 0, understands: [], isRequest: false, input: Verify }
}

/** Requests to one of the two APIs as they stand. */
const formsOf = (
  operations: { readonly [name: string]: ApiOperation },
  by: (operation: ApiOperation) => ReadonlyArray<ActorKind>
): ReadonlyArray<readonly [string, OperationForm]> =>
  Object.entries(operations).map(([name, operation]) => [
    name,
    {
      by: by(operation),
      actsOn: parametersOf(operation).length,
      understands: [
        ...ofRequest,
        ...(operation.body === "envelope" || operation.body === "decision" ? ["envelope" as const] : []),
        operation.method === "GET" ? ("within" as const) : ("meanwhile" as const)
      ],
      isRequest: true,
      input: undefined
    }
  ])

export const operationForms: ReadonlyMap<string, OperationForm> = new Map([
  ...formsOf(apiOperations, ({ isPublic }) => (isPublic ? everyone : ["agent", "visitor"])),
  ...formsOf(publicOperations, () => everyone),
  ...formsOf(workspaceOperations, () => ["person", "agent", "visitor"]),
  ...Object.entries(ownWords)
])
