/** The form of `given`: the world before the first step. */
import { Schema } from "effect"
import { actions, roles } from "../../src/access/actions.ts"
import { authorities } from "../../src/people/membership.ts"
import { Instant } from "../../src/vocabulary/instant.ts"
import { tasks } from "../processes/tasks.ts"
import { mailServers } from "../surroundings.ts"
import { Answers, HostName, mapOf, Offset, optional, required, Text } from "./words.ts"

const Person = Schema.Struct({
  name: required(Text, "The name of this person, as others see it."),
  email: optional(Text, "Where this person gets their mail, as whoever signs them in says."),
  provider: optional(
    Schema.String,
    "Who signs this person in, by its name in providers; the world's own where absent."
  ),
  member: optional(
    mapOf(Schema.Array(Schema.Literals(authorities))),
    "Organizations that this person belongs to, and the authorities held in each."
  )
}).annotate({ identifier: "Person" })

const Receiver = Schema.Struct({
  host: required(HostName, "The host name under which this receiver wants to be called back."),
  addresses: optional(Schema.Array(Text), "What a look-up of its name brings; one public address where absent."),
  clock: optional(Offset, "How far its clock is off, by which it judges how old a callback is.")
}).annotate({ identifier: "Receiver" })

const Agent = Schema.Struct({
  for: required(Schema.String, "The person who lets this agent act."),
  organization: optional(Schema.String, "The organization it acts for; the person's first where absent."),
  role: required(Schema.Literals(roles), "The side that it acts on."),
  actions: required(Schema.Array(Schema.Literals(actions)), "What it may do."),
  expiresAt: optional(Instant, "When its grant ends.")
}).annotate({ identifier: "Agent" })

const Provider = Schema.Struct({
  issuer: required(Text, "The address by which the service knows whoever signs people in.")
}).annotate({ identifier: "Provider" })

const Clocks = Schema.Struct({
  service: optional(Offset, "Of the processes that answer requests."),
  worker: optional(Offset, "Of the process that works beside them.")
}).annotate({ identifier: "Clocks" })

const credits = Schema.Int.check(Schema.isGreaterThan(0, { expected: "a number of credits above 0" }))

export const Given = Schema.Struct({
  organizations: optional(mapOf(Text), "Organizations: a name in this script, and the name in the world."),
  people: optional(mapOf(Person), "People, each with a name by which steps call them."),
  credits: optional(mapOf(credits), "Result credits of an organization."),
  mail: optional(
    Schema.Literals(mailServers),
    "A mail server, and how it stands at first; the service sends no mail where absent."
  ),
  agents: optional(mapOf(Agent), "Agents that a person has connected before the first step."),
  providers: optional(mapOf(Provider), "Whoever signs people in, beside the world's own provider."),
  receivers: optional(mapOf(Receiver), "Programs that are called back."),
  zones: optional(
    mapOf(Answers),
    "What the public DNS knows of a host name; a receiver's own addresses where it has no entry."
  ),
  worker: optional(
    Schema.Array(Schema.Literals(tasks)),
    "What a worker does beside the steps; callbacks where there are receivers, else nothing."
  ),
  clocks: optional(Clocks, "How far the clocks of processes are off."),
  visitors: optional(mapOf(Text), "Parties without any account: they read what is public and verify records.")
}).annotate({ identifier: "Given" })

export type Given = typeof Given.Type
