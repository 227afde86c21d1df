/** `admin list`: one page of one kind, in the order of ids. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { connectionStates } from "../../access/connection.ts"
import { listAllGrants, listConnections } from "../../access/listing.ts"
import { directoryIssuer } from "../../adapters/sign-in/directory.ts"
import { findPersons, listMemberships, listOrganizations, listPersons } from "../../people/listing.ts"
import { Signer } from "../../ports/signer.ts"
import { listProjects } from "../../projects/listing.ts"
import { listBalances } from "../../records/listing.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { listAllSubscriptions } from "../../webhooks/listing.ts"
import { id, organization as organizationFlag, person as personFlag } from "./flags.ts"
import { listCommand, oneFilter } from "./listed.ts"

const organization = organizationFlag.pipe(Flag.optional)
const person = personFlag.pipe(Flag.optional)

const organizations = listCommand(
  "organizations",
  {},
  {
    description: "Organizations",
    read: (_, page) => listOrganizations(page),
    columns: {
      ORGANIZATION: (one) => one.organizationId,
      NAME: (one) => one.name,
      CREATED: (one) => one.createdAt
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
      PERSON: (one) => one.personId,
      NAME: (one) => one.name,
      SUBJECT: (one) => one.subject,
      ISSUER: (one) => one.issuer,
      CREATED: (one) => one.createdAt
    }
  }
)

const memberships = listCommand(
  "memberships",
  { organization, person },
  {
    description: "Memberships, of an organization or of a person",
    read: (filters, page) =>
      Effect.flatMap(oneFilter(filters), ({ organization, person }) =>
        listMemberships(
          { ...(organization && { organizationId: organization }), ...(person && { personId: person }) },
          page
        )
      ),
    columns: {
      MEMBERSHIP: (one) => one.membershipId,
      STATE: (one) => one.state,
      PERSON: (one) => one.personId,
      NAME: (one) => one.personName,
      ORGANIZATION: (one) => one.organizationName,
      UNTIL: (one) => one.endedAt ?? one.validUntil,
      AUTHORITIES: (one) => one.authorities.join(",")
    }
  }
)

const grants = listCommand(
  "grants",
  { organization, person, membership: id("membership", "The membership's id").pipe(Flag.optional) },
  {
    description: "Grants, of an organization, of the person who authorized them, or under a membership",
    read: (filters, page) =>
      Effect.flatMap(oneFilter(filters), ({ organization, person, membership }) =>
        listAllGrants(
          {
            ...(organization && { organizationId: organization }),
            ...(person && { personId: person }),
            ...(membership && { membershipId: membership })
          },
          page
        )
      ),
    columns: {
      GRANT: (one) => one.grantId,
      STATE: (one) => one.state,
      USABLE: (one) => one.isUsable,
      AGENT: (one) => one.agentName,
      ROLE: (one) => one.role,
      BY: (one) => one.authorizerName,
      EXPIRES: (one) => one.expiresAt,
      PROJECTS: (one) => one.projectCount
    }
  }
)

const connections = listCommand(
  "connections",
  { state: Flag.Literals("state", connectionStates).pipe(Flag.withDescription("Only in this state"), Flag.optional) },
  {
    description: "Connections of agents that were started",
    read: ({ state }, page) => listConnections(Option.isSome(state) ? { state: state.value } : {}, page),
    columns: {
      CONNECTION: (one) => one.connectionId,
      STATE: (one) => one.state,
      AGENT: (one) => one.agentName,
      CLIENT: (one) => one.client,
      ORIGIN: (one) => one.origin,
      EXPIRES: (one) => one.expiresAt,
      GRANT: (one) => one.grantId
    }
  }
)

const projects = listCommand(
  "projects",
  { organization, person },
  {
    description: "Projects, of an organization or a person of either side",
    read: (filters, page) =>
      Effect.flatMap(oneFilter(filters), ({ organization, person }) => listProjects(organization ?? person, page)),
    columns: {
      PROJECT: (one) => one.projectId,
      STATE: (one) => one.state,
      PAUSED: (one) => one.isPaused,
      TITLE: (one) => one.title,
      EVENTS: (one) => one.eventCount,
      LAST: (one) => one.lastEventAt
    }
  }
)

const subscriptions = listCommand(
  "subscriptions",
  { person, grant: id("grant", "The grant's id").pipe(Flag.optional) },
  {
    description: "Webhook subscriptions with their backlog, of a person and their agents, or of a grant",
    read: (filters, page) =>
      Effect.flatMap(oneFilter(filters), ({ person, grant }) =>
        listAllSubscriptions({ ...(person && { personId: person }), ...(grant && { grantId: grant }) }, page)
      ),
    columns: {
      SUBSCRIPTION: (one) => one.subscriptionId,
      STATE: (one) => one.state,
      RECEIVER: (one) => one.receiver,
      PENDING: (one) => (one.backlog.hasMore ? `${one.backlog.pending}+` : one.backlog.pending),
      OLDEST: (one) => one.backlog.oldestDueAt,
      HELD: (one) => one.backlog.held,
      "UNDER WAY": (one) => one.backlog.underWay,
      EXHAUSTED: (one) => one.backlog.exhausted,
      FAILURES: (one) => one.failures
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
      ORGANIZATION: (one) => one.organizationId,
      NAME: (one) => one.organizationName,
      BALANCE: (one) => one.balance,
      ENTRIES: (one) => one.entries
    }
  }
)

const keys = listCommand(
  "keys",
  {},
  {
    description: "Public halves of the issuer's keys",
    read: (_, { limit, after }) =>
      Effect.flatMap(Signer, ({ keys: { keys: all } }) => {
        const before = all.findIndex(({ kid }) => kid === after)
        if (after !== undefined && before === -1) {
          return refuse("INVALID_REQUEST", {
            detail: "--after names no key: give what an earlier page named as its next."
          })
        }
        const start = before + 1
        const items = all.slice(start, start + limit)
        return Effect.succeed({ items, next: start + limit < all.length ? items.at(-1)!.kid : null })
      }),
    columns: {
      KEY: (one) => one.kid,
      FROM: (one) => one.validFrom,
      UNTIL: (one) => one.validUntil,
      REVOKED: (one) => one.revokedAt,
      PURPOSES: (one) => one.purposes.join(",")
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
    subscriptions,
    credits,
    keys
  ])
)
