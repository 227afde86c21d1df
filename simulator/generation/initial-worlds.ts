/** Initial worlds: the parties, their authorities, and the environment. */
import { actions, isForRole, type Role } from "../../src/access/actions.ts"
import type { SeededRandom } from "../kernel/seeded-random.ts"
import type { WorldDefinition } from "../scenario/format/scenario.ts"

/** The time scale of a world: with a polling worker, weeks of virtual time would be slow to simulate. */
export interface TimeScale {
  readonly hasWorker: boolean
  /** The range of times to a deadline, in minutes. */
  readonly deadline: readonly [from: number, to: number]
  /** Durations by which time advances between steps. */
  readonly spans: ReadonlyArray<string>
}

export const longTimeScale: TimeScale = {
  hasWorker: false,
  deadline: [30, 30_000],
  spans: ["1ms", "1s", "30s", "5m", "5m 1ms", "15m", "15m", "1h", "1h", "12h", "1d", "9d"]
}

export const shortTimeScale: TimeScale = {
  hasWorker: true,
  deadline: [5, 60],
  spans: ["1ms", "1s", "14s 999ms", "15s", "30s", "1m", "5m", "9m"]
}

export const initialWorld = (random: SeededRandom, { hasWorker }: TimeScale): WorldDefinition["given"] => ({
  organizations: { harbor: "Harbor Museum", lumen: "Lumen Studio", quay: "Quay Press" },
  people: {
    dana: {
      name: "Dana Okafor",
      email: "dana@harbor.example",
      member: { harbor: [...authoritiesOf.BUYER, "FINANCIAL_MANAGE"] }
    },
    kim: {
      name: "Kim Duarte",
      email: "kim@harbor.example",
      member: { harbor: random.some(authoritiesOf.BUYER, 0.6), lumen: random.some(authoritiesOf.SUPPLIER, 0.6) }
    },
    sam: {
      name: "Sam Lindqvist",
      email: "sam@lumen.example",
      member: { lumen: [...authoritiesOf.SUPPLIER, "FINANCIAL_MANAGE"] }
    },
    nils: {
      name: "Nils Berg",
      ...(random.chance(0.5) ? { email: "nils@quay.example" } : {}),
      ...(random.chance(0.3) ? { member: { quay: ["DELEGATE", "MEMBERS_MANAGE", "TERMS_RESPOND"] } } : {})
    }
  },
  ...(random.chance(0.6) ? { credits: { harbor: 1 + random.below(3) } } : {}),
  ...(random.chance(0.4) ? { mail: random.pick(["WORKING", "WORKING", "REFUSING", "SILENT"] as const) } : {}),
  agents: {
    scout: { for: "dana", role: "BUYER", actions: actionsFor(random, "BUYER") },
    courier: { for: "sam", role: "SUPPLIER", actions: actionsFor(random, "SUPPLIER") }
  },
  ...(hasWorker
    ? {
        receivers: { hooks: { host: "hooks.example.com" }, backup: { host: "backup.example.com" } },
        worker: random.pick([["CALLBACKS"], ["CALLBACKS", "RECORDS"], ["CALLBACKS", "RECORDS", "CONNECTIONS"]] as const)
      }
    : {}),
  ...(random.chance(0.2)
    ? { clocks: { service: random.pick(["+400ms", "-2s", "+90s"]), worker: random.pick(["-400ms", "+2s", "-90s"]) } }
    : {}),
  payments: {},
  visitors: { pilot: "Pilot, a program that asks to be connected", iris: "Iris, who has no account" }
})

/** The actions that an agent of this side can be granted: mostly all of them. */
export const actionsFor = (random: SeededRandom, role: Role) => {
  const all = actions.filter((action) => isForRole(action, role))
  return random.chance(0.7) ? all : random.some(all, 0.7)
}

const authoritiesOf = {
  BUYER: [
    "DELEGATE",
    "AGREEMENT_CREATE",
    "RESULT_DRAFT_CREATE",
    "PROPOSAL_MANAGE",
    "DELIVERY_REVIEW",
    "COMPLETION_CONFIRM",
    "RECORD_ISSUE",
    "FINANCIAL_READ",
    "PUBLICATION_MANAGE",
    "MEMBERS_MANAGE"
  ],
  SUPPLIER: [
    "DELEGATE",
    "RESULT_DRAFT_CREATE",
    "PROPOSAL_MANAGE",
    "TERMS_RESPOND",
    "MATERIALS_SUBMIT",
    "PUBLICATION_MANAGE",
    "MEMBERS_MANAGE"
  ]
} as const
