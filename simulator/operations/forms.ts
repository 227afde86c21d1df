/** Every operation a script can name, who can do it, and the form of its input where the script has words of its own. */
import { Schema } from "effect"
import { actions, humanDecisions, roles } from "../../src/access/actions.ts"
import { Name } from "../script/format.ts"
import { actsOnSomething, apiOperations, type ApiOperation } from "./api.ts"
import { workspaceOperations } from "./workspace.ts"

export type ActorKind = "person" | "agent" | "visitor" | "operator"

export interface OperationForm {
  readonly by: ReadonlyArray<ActorKind>
  /** True where a step says what it acts on. */
  readonly actsOn: boolean
  /** Keys of a step that only some operations understand. */
  readonly understands: ReadonlyArray<"envelope" | "inject" | "with" | "meanwhile">
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

const ownWords: { readonly [name: string]: OperationForm } = {
  signIn: { by: ["person"], actsOn: false, understands: [], isRequest: false, input: Nothing },
  grantAgent: { by: ["person"], actsOn: false, understands: ofChange, isRequest: true, input: GrantAgent },
  renewGrant: { by: ["person"], actsOn: false, understands: ofChange, isRequest: true, input: RenewGrant },
  revokeGrant: {
    by: ["person", "operator"],
    actsOn: false,
    understands: ofChange,
    isRequest: true,
    input: RevokeGrant
  },
  pauseProject: { by: ["person"], actsOn: true, understands: ofChange, isRequest: true, input: Pause },
  resumeProject: { by: ["person"], actsOn: true, understands: ofChange, isRequest: true, input: Pause },
  endMembership: {
    by: ["person", "operator"],
    actsOn: false,
    understands: ofChange,
    isRequest: true,
    input: EndMembership
  },
  sweepConnections: { by: ["operator"], actsOn: false, understands: [], isRequest: false, input: Nothing },
  grantCredits: { by: ["operator"], actsOn: false, understands: [], isRequest: false, input: GrantCredits },
  verify: { by: everyone, actsOn: false, understands: [], isRequest: false, input: Verify }
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
      actsOn: actsOnSomething(operation),
      understands: [
        ...ofRequest,
        ...(operation.body === "envelope" ? ["envelope" as const] : []),
        ...(operation.method === "GET" ? [] : ["meanwhile" as const])
      ],
      isRequest: true,
      input: undefined
    }
  ])

export const operationForms: ReadonlyMap<string, OperationForm> = new Map([
  ...formsOf(apiOperations, ({ isPublic }) => (isPublic ? everyone : ["agent", "visitor"])),
  // An agent may try: that it is refused is worth a scenario.
  ...formsOf(workspaceOperations, () => ["person", "agent", "visitor"]),
  ...Object.entries(ownWords)
])
