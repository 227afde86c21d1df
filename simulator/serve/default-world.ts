/** The default world of a server: a buyer, a supplier, and a webhook receiver. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { WorldDefinition } from "../scenario/format/scenario.ts"

export const defaultWorldDefinition: WorldDefinition = {
  title: "A session with the simulator",
  say: undefined,
  seed: 1,
  start: "2026-01-05T09:00:00.000Z" as Instant,
  properties: [],
  given: {
    organizations: { harbor: "Harbor Museum", lumen: "Lumen Studio" },
    people: {
      dana: {
        name: "Dana Okafor",
        member: {
          harbor: [
            "DELEGATE",
            "AGREEMENT_CREATE",
            "RESULT_DRAFT_CREATE",
            "DELIVERY_REVIEW",
            "COMPLETION_CONFIRM",
            "RECORD_ISSUE",
            "MEMBERS_MANAGE"
          ]
        }
      },
      sam: {
        name: "Sam Lindqvist",
        member: {
          lumen: [
            "DELEGATE",
            "RESULT_DRAFT_CREATE",
            "PROPOSAL_MANAGE",
            "TERMS_RESPOND",
            "MATERIALS_SUBMIT",
            "MEMBERS_MANAGE"
          ]
        }
      }
    },
    credits: { harbor: 100 },
    receivers: { hooks: { host: "hooks.example.com" } },
    worker: ["CALLBACKS", "RECORDS", "CONNECTIONS"]
  }
}
