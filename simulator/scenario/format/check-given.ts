/** Checks the `given` section: names are unique, and every reference between parties is declared. */
import { paymentProvider, type CheckContext } from "./check-context.ts"
import { itemsOf, type Members, membersOf } from "./untyped-members.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"
import { isHostName } from "../../vocabulary/value-schemas.ts"

/** The `given` section of a script, or of a part named `within`. */
export interface GivenSection {
  readonly within: string | undefined
  readonly given: Members
}

/** Two passes: a script and its parts may refer to names that any of them declares. */
export const checkGiven = (all: ReadonlyArray<GivenSection>, context: CheckContext): void => {
  const outer = context.within
  for (const check of [introduce, checkReferencesIn]) {
    for (const { within, given } of all) {
      context.within = within ?? outer
      check(given, context)
    }
  }
  context.within = outer
}

const introduce = (given: Members, context: CheckContext): void => {
  for (const name of Object.keys(membersOf(given["organizations"]))) {
    context.declare(name, ["given", "organizations", name])
    context.organizations.add(name)
  }
  for (const name of Object.keys(membersOf(given["people"]))) {
    context.declareActor(name, "person", ["given", "people", name])
  }
  for (const name of Object.keys(membersOf(given["visitors"]))) {
    context.declareActor(name, "visitor", ["given", "visitors", name])
  }
  for (const name of Object.keys(membersOf(given["receivers"]))) {
    context.declareActor(name, "receiver", ["given", "receivers", name])
    context.hasWorker ||= given["worker"] === undefined
  }
  for (const name of Object.keys(membersOf(given["agents"]))) {
    context.declareActor(name, "agent", ["given", "agents", name])
  }
  introduceImported(membersOf(given["imported"]), context)
  if (given["payments"] !== undefined) context.declareActor(paymentProvider, "provider", ["given", "payments"])
  for (const name of Object.keys(membersOf(given["providers"]))) context.providers.add(name)
  if (itemsOf(given["worker"]).length > 0) context.hasWorker = true
}

/** The imported project has the name `project`. */
const introduceImported = (imported: Members, context: CheckContext): void => {
  const path = ["given", "imported"]
  if (imported["project"] !== undefined) context.declare("project", [...path, "project"])
  for (const name of Object.keys(membersOf(imported["organizations"]))) {
    context.declare(name, [...path, "organizations", name])
    context.organizations.add(name)
  }
  for (const name of Object.keys(membersOf(imported["people"]))) {
    context.declareActor(name, "person", [...path, "people", name])
  }
  for (const name of Object.keys(membersOf(imported["agents"]))) {
    context.declareActor(name, "agent", [...path, "agents", name])
  }
}

const checkReferencesIn = (given: Members, context: CheckContext): void => {
  checkPeople(membersOf(given["people"]), context)
  checkAgents(membersOf(given["agents"]), membersOf(given["people"]), context)
  checkReceivers(membersOf(given["receivers"]), context)
  for (const name of Object.keys(membersOf(given["credits"]))) {
    context.requireOrganization(name, ["given", "credits", name], "key")
  }
  for (const name of Object.keys(membersOf(given["zones"]))) {
    if (isHostName(name)) continue
    context.report(["given", "zones", name], "a zone is a host name such as hooks.example.com", "key")
  }
}

const checkPeople = (people: Members, context: CheckContext): void => {
  for (const [name, person] of Object.entries(people)) {
    const { member, provider } = membersOf(person)
    const path = ["given", "people", name]
    for (const organization of Object.keys(membersOf(member))) {
      context.requireOrganization(organization, [...path, "member", organization], "key")
    }
    if (typeof provider === "string") context.requireProvider(provider, [...path, "provider"])
  }
}

const checkAgents = (agents: Members, people: Members, context: CheckContext): void => {
  for (const [name, agent] of Object.entries(agents)) {
    const path = ["given", "agents", name]
    const { for: person, organization } = membersOf(agent)
    if (typeof person !== "string") continue
    context.requireActorOfKind(person, "person", [...path, "for"])
    const memberships = Object.keys(membersOf(membersOf(people[person])["member"]))
    if (typeof organization === "string") {
      context.requireOrganization(organization, [...path, "organization"])
      if (
        context.organizations.has(organization) &&
        people[person] !== undefined &&
        !memberships.includes(organization)
      ) {
        context.report(
          [...path, "organization"],
          `${person} is not a member of ${organization}${didYouMean(organization, memberships)}`
        )
      }
    } else if (people[person] !== undefined && memberships.length === 0) {
      context.report([...path, "for"], `${person} has no membership under which an agent could act`)
    }
  }
}

const checkReceivers = (receivers: Members, context: CheckContext): void => {
  const hosts = new Set<unknown>()
  for (const [name, receiver] of Object.entries(receivers)) {
    const { host } = membersOf(receiver)
    if (host === undefined) continue
    if (hosts.has(host)) {
      context.report(["given", "receivers", name, "host"], `host ${String(host)} is already used by another receiver`)
    }
    hosts.add(host)
  }
}
