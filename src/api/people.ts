/** All operations of people, authenticated by the cookie of a session. */
import { HttpApi } from "effect/http-api"
import { Account, Approvals, OwnGrants } from "../access/person-wire.ts"
import { HistoryReferencesGroup, TransactionClosures } from "../closure/person-wire.ts"
import { CommerceRecords, RecipientAccountsGroup, ResultOrdersGroup } from "../commerce/person-wire.ts"
import { DraftsGroup } from "../drafts/person-wire.ts"
import { Items } from "../participation/person-wire.ts"
import { Contacts, Invitations, Members, PersonSession } from "../people/wire.ts"
import { ProjectCommands } from "../projects/person-commands-wire.ts"
import { OwnProjects } from "../projects/person-wire.ts"
import { OwnProposals } from "../proposals/person-wire.ts"
import { ProjectPublications } from "../publications/person-wire.ts"
import { SharedRecords } from "../records/person-wire.ts"
import { ResultPackages } from "../records/package-wire.ts"
import { OwnWebhooks } from "../webhooks/person-wire.ts"
import { guarded } from "./guarded.ts"

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
  .add(DraftsGroup)
  .add(Items)
  .add(SharedRecords)
  .add(ResultPackages)
  .add(ProjectPublications)
  .add(ResultOrdersGroup)
  .add(RecipientAccountsGroup)
  .add(CommerceRecords)
  .add(TransactionClosures)
  .add(HistoryReferencesGroup)
  .pipe(
    guarded(
      "Countersign workspace API",
      "Operations of people: they decide on agreements, delegate to agents and revoke that, and manage their organizations."
    )
  ) {}
