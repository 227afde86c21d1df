/** Commands of people on agreements: those of agents with a person as actor, and those reserved for people. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { OrganizationId } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { Text } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { ProjectPath } from "./answer.ts"
import { projectCommands, personBody, personCommand } from "./command-wire.ts"
import { creationFields, datesInOrder } from "./input.ts"
import { PersonProjectView } from "./output.ts"

export class ProjectCommands extends HttpApiGroup.make("projectCommands", { topLevel: true })
  .add(
    HttpApiEndpoint.post("createOwnProject", "/projects", {
      payload: Schema.Struct({ requestId: UuidV4, organizationId: OrganizationId, ...creationFields })
        .check(datesInOrder)
        .annotate({ identifier: "PersonCreate" }),
      success: PersonProjectView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, ...checks.newAgreement)
    }).annotateMerge(titled("Commit an agreement as a buyer")),
    HttpApiEndpoint.post("reviseProject", "/projects/:id/revise", {
      params: ProjectPath,
      payload: personBody(
        "PersonRevise",
        Schema.Struct({
          requestId: UuidV4,
          agreementDigest: Digest,
          reason: Text,
          terms: Schema.Struct(creationFields).check(datesInOrder)
        })
      ),
      success: PersonProjectView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.personProjectCommand, ...checks.newAgreement)
    }).annotateMerge(titled("Commit revised terms as a new project")),
    personCommand(projectCommands.respond),
    personCommand(projectCommands.sign),
    personCommand(projectCommands.submit),
    personCommand(projectCommands.review),
    personCommand(projectCommands.dateRevision),
    personCommand(projectCommands.liftHold),
    personCommand(projectCommands.concern),
    personCommand(projectCommands.resolveConcern),
    personCommand(projectCommands.withdrawConfirmation),
    personCommand(projectCommands.issueRecord),
    personCommand(projectCommands.changeRepresentative)
  )
  .pipe(forPeople) {}
