/** The schema of `given`: the world before the first step. */
import { Schema } from "effect"
import { actions, roles } from "../../../src/access/actions.ts"
import { authorities } from "../../../src/people/membership.ts"
import { Instant } from "../../../src/vocabulary/instant.ts"
import { simulatedCurrencies } from "../../payments/layer.ts"
import { tasks } from "../../environment/processes/tasks.ts"
import {
  DnsAnswers,
  HostName,
  JsonObject,
  mapOf,
  Offset,
  optional,
  required,
  Text
} from "../../vocabulary/value-schemas.ts"
import { mailServers } from "../../vocabulary/states.ts"

const Person = Schema.Struct({
  name: required(Text, "The display name of this person."),
  email: optional(Text, "The e-mail address that the identity provider reports."),
  provider: optional(
    Schema.String,
    "The identity provider of this person, by its name in providers; by default the world's own."
  ),
  member: optional(
    mapOf(Schema.Array(Schema.Literals(authorities))),
    "Organizations that this person is a member of, with the authorities in each."
  )
}).annotate({ identifier: "Person" })

const Receiver = Schema.Struct({
  host: required(HostName, "The host name of this receiver's webhook target."),
  addresses: optional(Schema.Array(Text), "The DNS answer for its host name; one public address by default."),
  clock: optional(Offset, "The offset of its clock, by which it checks the age of a webhook.")
}).annotate({ identifier: "Receiver" })

const Agent = Schema.Struct({
  for: required(Schema.String, "The person who grants this agent access."),
  organization: optional(Schema.String, "The organization it acts for; by default the person's first."),
  role: required(Schema.Literals(roles), "The side it acts for."),
  actions: required(Schema.Array(Schema.Literals(actions)), "The actions it is granted."),
  expiresAt: optional(Instant, "When its grant expires.")
}).annotate({ identifier: "Agent" })

const Provider = Schema.Struct({
  issuer: required(Text, "The issuer URL of the identity provider.")
}).annotate({ identifier: "Provider" })

const Clocks = Schema.Struct({
  service: optional(Offset, "The offset of the processes that answer requests."),
  worker: optional(Offset, "The offset of the worker.")
}).annotate({ identifier: "Clocks" })

const PaymentsSection = Schema.Struct({
  currencies: optional(
    Schema.Array(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u, { expected: "a currency code such as EUR" }))),
    `The currencies in which orders can be offered; ${simulatedCurrencies.join(", ")} by default.`
  )
}).annotate({ identifier: "Payments" })

const Imported = Schema.Struct({
  project: required(JsonObject, "The export of the project, as `countersign admin export-project` writes it."),
  organizations: required(mapOf(Text), "Names for its organizations, by their ids."),
  people: required(mapOf(Text), "Names for its people, by their ids."),
  agents: required(mapOf(Text), "Names for its agents, by the ids of their grants.")
}).annotate({ identifier: "Imported" })

export type ImportedSection = typeof Imported.Type

const credits = Schema.Int.check(Schema.isGreaterThan(0, { expected: "a number of credits above 0" }))

export const GivenSection = Schema.Struct({
  organizations: optional(mapOf(Text), "Organizations: the name in this script, and the display name."),
  people: optional(mapOf(Person), "People, each with the name that steps use."),
  credits: optional(mapOf(credits), "Result credits of an organization."),
  mail: optional(
    Schema.Literals(mailServers),
    "The mail server and its initial state; without it the service sends no e-mail."
  ),
  agents: optional(mapOf(Agent), "Agents that a person has connected before the first step."),
  providers: optional(mapOf(Provider), "Identity providers beside the world's own."),
  receivers: optional(mapOf(Receiver), "Programs that receive webhooks."),
  zones: optional(mapOf(DnsAnswers), "Public DNS answers by host name; by default the addresses of its receiver."),
  worker: optional(
    Schema.Array(Schema.Literals(tasks)),
    "The tasks of the worker; by default CALLBACKS if there are receivers, else none."
  ),
  payments: optional(
    PaymentsSection,
    "The simulated payment provider in its TEST environment, with the actor provider; without it there is none."
  ),
  clocks: optional(Clocks, "The clock offsets of processes."),
  imported: optional(
    Imported,
    "A project of an installation with its history and its parties; `simulate import` writes this section."
  ),
  visitors: optional(mapOf(Text), "Parties without an account: they read public data and verify records.")
}).annotate({ identifier: "Given" })

export type GivenSection = typeof GivenSection.Type
