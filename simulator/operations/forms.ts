/** Every operation a script can name, who can do it, and the form of its input where the script has words of its own. */
import { Schema } from "effect"
import { actions, humanDecisions, roles } from "../../src/access/actions.ts"
import { Name } from "../script/format.ts"
import { actsOnSomething, apiOperations } from "./api.ts"

export type ActorKind = "person" | "agent" | "visitor" | "operator"

export interface OperationForm {
  readonly by: ReadonlyArray<ActorKind>
  /** True where a step says what it acts on. */
  readonly actsOn: boolean
  /** Keys of a step that only some operations understand. */
  readonly understands: ReadonlyArray<"envelope" | "inject">
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

export const RevokeGrant = Schema.Struct({ agent: Schema.String })
export const EndMembership = Schema.Struct({ person: Schema.String, organization: Schema.String })
export const GrantCredits = Schema.Struct({
  organization: Schema.String,
  credits: Schema.Int,
  reference: Schema.String
})
export const Pause = Schema.Struct({ reason: Schema.String })

/** Artifact and status as they were answered; the moment is the current one where absent. */
export const Verify = Schema.Struct({
  artifact: Schema.Json,
  status: Schema.optionalKey(Schema.Json),
  checkedAt: Schema.optionalKey(Schema.String)
})

const everyone: ReadonlyArray<ActorKind> = ["person", "agent", "visitor", "operator"]

const ownWords: { readonly [name: string]: OperationForm } = {
  grantAgent: { by: ["person"], actsOn: false, understands: [], input: GrantAgent },
  revokeGrant: { by: ["person", "operator"], actsOn: false, understands: [], input: RevokeGrant },
  pauseProject: { by: ["person"], actsOn: true, understands: [], input: Pause },
  resumeProject: { by: ["person"], actsOn: true, understands: [], input: Pause },
  endMembership: { by: ["operator"], actsOn: false, understands: [], input: EndMembership },
  grantCredits: { by: ["operator"], actsOn: false, understands: [], input: GrantCredits },
  verify: { by: everyone, actsOn: false, understands: [], input: Verify }
}

export const operationForms: ReadonlyMap<string, OperationForm> = new Map([
  ...Object.entries(apiOperations).map(([name, operation]): [string, OperationForm] => [
    name,
    {
      by: operation.isPublic ? everyone : ["agent", "visitor"],
      actsOn: actsOnSomething(operation),
      understands: operation.body === "envelope" ? ["envelope", "inject"] : ["inject"],
      input: undefined
    }
  ]),
  ...Object.entries(ownWords)
])
