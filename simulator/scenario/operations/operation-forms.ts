/** All operations that a script can name: the actors that may call them, and the input schema of script commands. */
import { Schema } from "effect"
import { SpecificationContent } from "../../../src/discovery/input.ts"
import { actions, humanDecisions, roles } from "../../../src/access/actions.ts"
import { keyPurposes } from "../../../src/ports/signer.ts"
import { roles as processRoles } from "../../environment/processes/process.ts"
import { PlannedCondition } from "../../payments/layer.ts"
import { forgeries } from "../../payments/notification.ts"
import { DnsAnswers, Name, Offset } from "../../vocabulary/value-schemas.ts"
import { AttemptScript } from "../../environment/webhook-receivers/attempt-script.ts"
import { apiOperations, publicOperations } from "./agent-api.ts"
import { type ApiOperation, type ApiOperations, pathParametersOf } from "./api-operation.ts"
import { workspaceOperations } from "./workspace-api.ts"
import { mailServers, providerStates } from "../../vocabulary/states.ts"

export type ActorKind = "person" | "agent" | "visitor" | "operator" | "receiver" | "provider"

export interface OperationForm {
  readonly by: ReadonlyArray<ActorKind>
  /** The number of targets in the step's `on`. */
  readonly actsOn: number
  /** Step keys that only some operations allow. */
  readonly understands: ReadonlyArray<"envelope" | "inject" | "with" | "meanwhile" | "within">
  /** True if the operation sends a request, which can be retried. */
  readonly isRequest: boolean
  /** True if properties can judge its answer although it sends no request to the service. */
  readonly isAnswered?: true
  /** Undefined if the input is sent unchanged, so that a script can also send invalid input. */
  readonly input: Schema.Codec<any, any> | undefined
}

const SubjectRequirement = Schema.Struct({
  id: Schema.String,
  statement: Schema.String,
  humanDecisions: Schema.Array(Schema.Literals(humanDecisions))
})

/** A person grants an agent access; the agent becomes an actor of that name. */
export const GrantAgent = Schema.Struct({
  agent: Name,
  /** Optional for a person with one membership. */
  organization: Schema.optionalKey(Schema.String),
  role: Schema.Literals(roles),
  actions: Schema.Array(Schema.Literals(actions)),
  projects: Schema.optionalKey(Schema.Array(Schema.String)),
  proposals: Schema.optionalKey(Schema.Array(Schema.String)),
  subjectRequirements: Schema.optionalKey(Schema.Array(SubjectRequirement)),
  expiresAt: Schema.optionalKey(Schema.String)
})

/** A signed-in person renews a grant and gives the agent its new token. */
export const RenewGrant = Schema.Struct({
  agent: Schema.String,
  /** Default: the generation last read. */
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
/** The outcomes of the next webhook attempts to a receiver, in order, and of all later ones. */
export const SetReceiver = Schema.Struct({
  receiver: Schema.String,
  next: Schema.optionalKey(Schema.Array(AttemptScript)),
  otherwise: Schema.optionalKey(AttemptScript),
  clock: Schema.optionalKey(Offset)
})
/** Sets a public DNS answer. */
export const SetZone = Schema.Struct({ name: Schema.String, answers: DnsAnswers })
export const SetProvider = Schema.Struct({ provider: Schema.String, state: Schema.Literals(providerStates) })
export const SetClock = Schema.Struct({ process: Schema.Literals(processRoles), offset: Offset })
/** Sets members, by path, in the JSON answers to an actor; none for the answers as they are. */
export const SetAnswers = Schema.Struct({ to: Schema.String, members: Schema.Record(Schema.String, Schema.Json) })
/** Sets the purposes for which the issuer has a key. */
export const SetKeys = Schema.Struct({ purposes: Schema.Array(Schema.Literals(keyPurposes)) })
/** Resumes the stalled attempts of a receiver. */
export const GoOn = Schema.Struct({ receiver: Schema.String })
/** An external program answers in the place of a receiver. */
export const AttachProgram = Schema.Struct({ receiver: Schema.String })
/** A receiver signs its own bytes with its subscription secret, as the service would. */
export const SignBytes = Schema.Struct({ rawBody: Schema.String })
/** A program that is not the service sends a receiver an event of its own, signed without the subscription's secret. */
export const ForgeWebhook = Schema.Struct({
  receiver: Schema.String,
  event: Schema.Record(Schema.String, Schema.Json)
})
export const ReplayWebhook = Schema.Struct({ receiver: Schema.String })
export const TakeSecret = Schema.Struct({ secret: Schema.String })
export const ChangeLegalDocuments = Schema.Struct({
  documents: Schema.Array(Schema.Struct({ kind: Schema.String, version: Schema.String, text: Schema.String }))
})
export const Pause = Schema.Struct({ reason: Schema.String })
/** The whole sum that is left, if none is named. */
export const ProviderSum = Schema.Struct({ amountMinor: Schema.optionalKey(Schema.Int) })
export const CloseDispute = Schema.Struct({ status: Schema.Literals(["won", "lost"]) })
/** Whether the provider's clock is off when it signs a notification, or a client without its secret signs instead. */
export const Notify = Schema.Struct({
  clock: Schema.optionalKey(Offset),
  forged: Schema.optionalKey(Schema.Literals(forgeries))
})
/** What an agent tells its person, with the link that the service gave it. */
export const Tell = Schema.Struct({ text: Schema.String, humanUrl: Schema.optionalKey(Schema.String) })
const NoInput = Schema.Struct({})

/** Artifact and status as answered, with an authority policy; `checkedAt` defaults to the current instant. */
export const Verify = Schema.Struct({
  artifact: Schema.Json,
  status: Schema.optionalKey(Schema.Json),
  authority: Schema.optionalKey(Schema.Json),
  checkedAt: Schema.optionalKey(Schema.String)
})

const everyone: ReadonlyArray<ActorKind> = ["person", "agent", "visitor", "operator"]

/** Step keys that requests allow. */
const ofChange = ["inject", "meanwhile"] as const
const ofRequest = ["inject", "with"] as const

/** Commands of the operator, and runs of the service's periodic tasks. */
const byOperator = (input: OperationForm["input"]): OperationForm => ({
  by: ["operator"],
  actsOn: 0,
  understands: [],
  isRequest: false,
  input
})

const byReceiver = (input: OperationForm["input"]): OperationForm => ({ ...byOperator(input), by: ["receiver"] })

/** Acts at the payment provider; `on` is the payment attempt or the recipient account. */
const byProvider = (input: OperationForm["input"] = NoInput): OperationForm => ({
  ...byOperator(input),
  by: ["provider"],
  actsOn: 1
})

const scriptCommands: { readonly [name: string]: OperationForm } = {
  tell: { by: ["agent", "visitor"], actsOn: 0, understands: [], isRequest: false, input: Tell },
  forgeWebhook: {
    by: ["visitor"],
    actsOn: 0,
    understands: [],
    isRequest: false,
    isAnswered: true,
    input: ForgeWebhook
  },
  replayWebhook: {
    by: ["visitor"],
    actsOn: 0,
    understands: [],
    isRequest: false,
    isAnswered: true,
    input: ReplayWebhook
  },
  signIn: { by: ["person"], actsOn: 0, understands: [], isRequest: false, input: NoInput },
  grantAgent: { by: ["person"], actsOn: 0, understands: ofChange, isRequest: true, input: GrantAgent },
  renewGrant: { by: ["person"], actsOn: 0, understands: ofChange, isRequest: true, input: RenewGrant },
  revokeGrant: {
    by: ["person", "operator"],
    actsOn: 0,
    understands: ofChange,
    isRequest: true,
    input: RevokeGrant
  },
  // Agents are allowed here so that a scenario can show the refusal.
  pauseProject: { by: ["person", "agent"], actsOn: 1, understands: ofChange, isRequest: true, input: Pause },
  resumeProject: { by: ["person", "agent"], actsOn: 1, understands: ofChange, isRequest: true, input: Pause },
  endMembership: {
    by: ["person", "operator"],
    actsOn: 0,
    understands: ofChange,
    isRequest: true,
    input: EndMembership
  },
  sweepConnections: byOperator(NoInput),
  issueDueRecords: byOperator(NoInput),
  readBackPayments: byOperator(NoInput),
  grantCredits: byOperator(GrantCredits),
  changeLegalDocuments: byOperator(ChangeLegalDocuments),
  setMailServer: byOperator(SetMailServer),
  setProvider: byOperator(SetProvider),
  setClock: byOperator(SetClock),
  setAnswers: byOperator(SetAnswers),
  setKeys: byOperator(SetKeys),
  setZone: byOperator(SetZone),
  setReceiver: byOperator(SetReceiver),
  goOn: byOperator(GoOn),
  attachProgram: byOperator(AttachProgram),
  startWorker: byOperator(NoInput),
  stopWorker: byOperator(NoInput),
  crashWorker: byOperator(NoInput),
  takeSecret: byReceiver(TakeSecret),
  signBytes: byReceiver(SignBytes),
  received: { ...byReceiver(NoInput), understands: ["within"] },
  onboard: byProvider(),
  pay: byProvider(),
  decline: byProvider(),
  expire: byProvider(),
  refund: byProvider(ProviderSum),
  failRefund: byProvider(),
  dispute: byProvider(),
  closeDispute: byProvider(CloseDispute),
  reverseTransfer: byProvider(ProviderSum),
  payOut: byProvider(),
  failPayout: byProvider(),
  notify: { ...byProvider(Notify), understands: ["inject"], isRequest: true },
  setPaymentProvider: { ...byProvider(PlannedCondition), actsOn: 0 },
  publishSpecification: byOperator(SpecificationContent),
  verify: { by: everyone, actsOn: 0, understands: [], isRequest: false, input: Verify }
}

/** Operations that send their input unchanged. */
const formsOf = (
  operations: ApiOperations,
  by: (operation: ApiOperation) => ReadonlyArray<ActorKind>
): ReadonlyArray<readonly [string, OperationForm]> =>
  Object.entries(operations).map(([name, operation]) => [
    name,
    {
      by: by(operation),
      actsOn: pathParametersOf(operation).length,
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
  ...Object.entries(scriptCommands)
])
