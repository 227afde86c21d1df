/** All operations of people, authenticated by the cookie of a session. */
import { HttpApi, OpenApi } from "effect/http-api"
import { Account, Approvals, OwnGrants } from "./access/human-wire.ts"
import { Drafts } from "./drafts/human-wire.ts"
import { Guard } from "./http/guard.ts"
import { Items } from "./participation/human-wire.ts"
import { Contacts, Invitations, Members, PersonSession } from "./people/human-wire.ts"
import { ProjectCommands } from "./projects/human-commands-wire.ts"
import { OwnProjects } from "./projects/human-wire.ts"
import { OwnProposals } from "./proposals/human-wire.ts"
import { SharedRecords } from "./records/human-wire.ts"
import { ResultPackages } from "./records/package-wire.ts"
import { apiVersion } from "./vocabulary/version.ts"
import { OwnWebhooks } from "./webhooks/human-wire.ts"

export class WorkspaceApi extends HttpApi.make("countersign-workspace")
  .add(PersonSession)
  .add(Account)
  .add(Members)
  .add(Invitations)
  .add(Contacts)
  .add(Approvals)
  .add(OwnGrants)
  .add(OwnProjects)
  .add(ProjectCommands)
  .add(OwnProposals)
  .add(OwnWebhooks)
  .add(Drafts)
  .add(Items)
  .add(SharedRecords)
  .add(ResultPackages)
  // Added last, so that it wraps every other middleware.
  .middleware(Guard)
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign workspace API",
      version: apiVersion,
      description:
        "Operations of people: they decide on agreements, delegate to agents and revoke that, and manage their organizations."
    })
  ) {}
