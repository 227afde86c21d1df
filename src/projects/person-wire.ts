/** Operations of people on agreements: list, read, pause, resume, and the supplier's representative. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { roles } from "../access/actions.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { InvitationCode, MadeInvitation, OrganizationId } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { UuidV4 } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { Automation, PersonProjectView } from "./output.ts"
import { states } from "./project.ts"
import { ProjectPath, ProjectQuery } from "./answer.ts"

const ProjectAutomation = Automation.annotate({ identifier: "Automation" })

/** A project in a list, with the person's side. */
export const OwnProject = Schema.Struct({
  projectId: Schema.String,
  role: Schema.Literals(roles),
  organizationId: Schema.NullOr(Schema.String),
  title: Schema.String,
  state: Schema.Literals(states),
  buyerName: Schema.String,
  supplierName: Schema.String,
  supplierActorId: Schema.NullOr(Schema.String),
  automation: ProjectAutomation
}).annotate({ identifier: "OwnProject" })

/** The query is text; only canonical decimal notation is accepted. */
const PageSize = Schema.String.check(
  Schema.isPattern(/^([1-9][0-9]{0,2}|1000)$/u, { expected: `a whole number from 1 to ${limits.projectsListed}` })
)

const OwnProjectList = Schema.Struct({
  projects: Schema.Array(OwnProject),
  next: Schema.NullOr(Schema.String).annotateKey({
    description: "The `after` of the next page; null on the last one. A page can hold fewer projects than its limit."
  })
}).annotate({ identifier: "OwnProjectList" })

const Reasoned = Schema.Struct({ requestId: UuidV4, reason: textUpTo(limits.textCharacters) }).annotate({
  identifier: "Reasoned"
})

export const ChangedAutomation = Schema.Struct({
  projectId: Schema.String,
  automation: ProjectAutomation,
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ChangedAutomation" })

const change = <const Name extends string>(name: Name, path: "/pause" | "/resume", summary: string) =>
  HttpApiEndpoint.post(name, `/projects/:id${path}`, {
    params: ProjectPath,
    payload: Reasoned,
    success: ChangedAutomation,
    error: refuses(...checks.person, ...checks.requestId, ...checks.recordedSide, "STATE_CONFLICT")
  }).annotateMerge(titled(summary))

export class OwnProjects extends HttpApiGroup.make("ownProjects", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listProjects", "/projects", {
      query: { after: Schema.optionalKey(ProjectPath.id), limit: Schema.optionalKey(PageSize) },
      success: OwnProjectList
    }).annotateMerge(titled("List the projects to which this person is a party, in the order of their ids")),
    HttpApiEndpoint.get("readOwnProject", "/projects/:id", {
      params: ProjectPath,
      query: ProjectQuery,
      success: PersonProjectView,
      error: refuses(...checks.person)
    }).annotateMerge(titled("Read one project with this person's available actions")),
    change("pauseProject", "/pause", "Stop the agents of both sides"),
    change("resumeProject", "/resume", "Lift the pause of the person's side"),
    HttpApiEndpoint.post("inviteRepresentative", "/projects/:id/representative-invitations", {
      params: ProjectPath,
      payload: Schema.Struct({ requestId: UuidV4 }),
      success: MadeInvitation.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.recordedSide,
        ...checks.recoveredSecret,
        "DELIVERY_HISTORY_LIMIT_REACHED",
        "STATE_CONFLICT"
      )
    }).annotateMerge(titled("Invite a person to become the supplier of an agreement that names none")),
    HttpApiEndpoint.post("acceptRepresentation", "/invitations/accept-representation", {
      payload: Schema.Struct({ requestId: UuidV4, code: InvitationCode, organizationId: OrganizationId }),
      success: Schema.Struct({ projectId: Schema.String }),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.recordedSide,
        ...checks.projectEvent,
        "INVITATION_UNKNOWN",
        "STATE_CONFLICT"
      )
    }).annotateMerge(titled("Become the supplier for one of the person's organizations"))
  )
  .pipe(forPeople) {}
