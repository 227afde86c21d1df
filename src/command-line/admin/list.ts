/** `admin list`: one page of one kind, ordered by id. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { connectionStates } from "../../access/connection.ts"
import { listAllGrants, listConnections } from "../../access/listing.ts"
import { directoryIssuer } from "../../adapters/sign-in/directory.ts"
import { findPersons, listMemberships, listOrganizations, listPersons } from "../../people/listing.ts"
import { Signer } from "../../ports/signer.ts"
import { listProjects, listReadOnlyProjects } from "../../projects/listing.ts"
import { listBalances } from "../../records/listing.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { listAllSubscriptions } from "../../webhooks/operator-listing.ts"
import { id, organization as organizationFlag, person as personFlag } from "./flags.ts"
import { listCommand, oneFilter } from "./read-commands.ts"

const organization = organizationFlag.pipe(Flag.optional)
const person = personFlag.pipe(Flag.optional)

const organizations = listCommand(
  "organizations",
  {},
  {
    description: "Organizations",
    read: (_, page) => listOrganizations(page),
    columns: {
      ORGANIZATION: (item) => item.organizationId,
      NAME: (item) => item.name,
      CREATED: (item) => item.createdAt
    }
  }
)

const people = listCommand(
  "people",
  {
    subject: Flag.String("subject").pipe(
      Flag.withDescription("Only the person with this name at the issuer"),
      Flag.optional
    ),
    issuer: Flag.String("issuer").pipe(
      Flag.withDescription("The issuer of --subject"),
      Flag.withDefault(directoryIssuer)
    )
  },
  {
    description: "Persons",
    read: ({ subject, issuer }, page) => {
      if (Option.isNone(subject)) return listPersons(page)
      return page.after === undefined
        ? findPersons(issuer, subject.value)
        : refuse("INVALID_REQUEST", { detail: "--subject finds at most one person: leave out --after." })
    },
    columns: {
      PERSON: (item) => item.personId,
      NAME: (item) => item.name,
      SUBJECT: (item) => item.subject,
      ISSUER: (item) => item.issuer,
      CREATED: (item) => item.createdAt
    }
  }
)

const memberships = listCommand(
  "memberships",
  { organization, person },
  {
    description: "Memberships, of an organization or of a person",
    read: (filters, page) => Effect.flatMap(oneFilter(filters), (filter) => listMemberships(filter, page)),
    columns: {
      MEMBERSHIP: (item) => item.membershipId,
      STATE: (item) => item.state,
      PERSON: (item) => item.personId,
      NAME: (item) => item.personName,
      ORGANIZATION: (item) => item.organizationName,
      UNTIL: (item) => item.endedAt ?? item.validUntil,
      AUTHORITIES: (item) => item.authorities.join(",")
    }
  }
)

const grants = listCommand(
  "grants",
  { organization, person, membership: id("membership", "The membership's id").pipe(Flag.optional) },
  {
    description: "Grants, of an organization, of the person who authorized them, or under a membership",
    read: (filters, page) => Effect.flatMap(oneFilter(filters), (filter) => listAllGrants(filter, page)),
    columns: {
      GRANT: (item) => item.grantId,
      STATE: (item) => item.state,
      USABLE: (item) => item.isUsable,
      AGENT: (item) => item.agentName,
      ROLE: (item) => item.role,
      BY: (item) => item.authorizerName,
      EXPIRES: (item) => item.expiresAt,
      PROJECTS: (item) => item.projectCount
    }
  }
)

const connections = listCommand(
  "connections",
  { state: Flag.Literals("state", connectionStates).pipe(Flag.withDescription("Only in this state"), Flag.optional) },
  {
    description: "Connections of agents",
    read: ({ state }, page) => listConnections(Option.isSome(state) ? { state: state.value } : {}, page),
    columns: {
      CONNECTION: (item) => item.connectionId,
      STATE: (item) => item.state,
      AGENT: (item) => item.agentName,
      CLIENT: (item) => item.client,
      ORIGIN: (item) => item.origin,
      EXPIRES: (item) => item.expiresAt,
      GRANT: (item) => item.grantId
    }
  }
)

const projects = listCommand(
  "projects",
  { organization, person },
  {
    description: "Projects, of an organization or a person of either side",
    read: (filters, page) =>
      Effect.flatMap(oneFilter(filters), ({ organizationId, personId }) =>
        listProjects(organizationId ?? personId, page)
      ),
    columns: {
      PROJECT: (item) => item.projectId,
      STATE: (item) => item.state,
      PAUSED: (item) => item.isPaused,
      TITLE: (item) => item.title,
      EVENTS: (item) => item.eventCount,
      LAST: (item) => item.lastEventAt
    }
  }
)

const readOnlyProjects = listCommand(
  "read-only-projects",
  {},
  {
    description: "Projects with lost events that no statement explains",
    read: (_, page) => listReadOnlyProjects(page),
    columns: {
      PROJECT: (item) => item.projectId,
      LOST: (item) => item.lostSequence,
      SOURCE: (item) => item.source,
      FOUND: (item) => item.foundAt
    }
  }
)

const subscriptions = listCommand(
  "subscriptions",
  { person, grant: id("grant", "The grant's id").pipe(Flag.optional) },
  {
    description: "Webhook subscriptions with their backlog, of a person and their agents, or of a grant",
    read: (filters, page) => Effect.flatMap(oneFilter(filters), (filter) => listAllSubscriptions(filter, page)),
    columns: {
      SUBSCRIPTION: (item) => item.subscriptionId,
      STATE: (item) => item.state,
      RECEIVER: (item) => item.receiver,
      PENDING: (item) => (item.backlog.hasMore ? `${item.backlog.pending}+` : item.backlog.pending),
      OLDEST: (item) => item.backlog.oldestDueAt,
      HELD: (item) => item.backlog.held,
      "UNDER WAY": (item) => item.backlog.underWay,
      EXHAUSTED: (item) => item.backlog.exhausted,
      FAILURES: (item) => item.failures
    }
  }
)

const credits = listCommand(
  "credits",
  {},
  {
    description: "Balances of result credits",
    read: (_, page) => listBalances(page),
    columns: {
      ORGANIZATION: (item) => item.organizationId,
      NAME: (item) => item.organizationName,
      BALANCE: (item) => item.balance,
      ENTRIES: (item) => item.entries
    }
  }
)

const keys = listCommand(
  "keys",
  {},
  {
    description: "Public halves of the issuer's keys",
    read: (_, { limit, after }) =>
      Effect.flatMap(Signer, ({ keys: { keys: sorted } }) => {
        const before = sorted.findIndex(({ kid }) => kid === after)
        if (after !== undefined && before === -1) {
          return refuse("INVALID_REQUEST", {
            detail: "--after is not the id of a key; use the next of an earlier page."
          })
        }
        const start = before + 1
        const items = sorted.slice(start, start + limit)
        return Effect.succeed({ items, next: start + limit < sorted.length ? items.at(-1)!.kid : null })
      }),
    columns: {
      KEY: (item) => item.kid,
      FROM: (item) => item.validFrom,
      UNTIL: (item) => item.validUntil,
      REVOKED: (item) => item.revokedAt,
      PURPOSES: (item) => item.purposes.join(",")
    }
  }
)

export const list = Command.make("list").pipe(
  Command.withDescription("List one kind, a page at a time"),
  Command.withSubcommands([
    organizations,
    people,
    memberships,
    grants,
    connections,
    projects,
    readOnlyProjects,
    subscriptions,
    credits,
    keys
  ])
)
