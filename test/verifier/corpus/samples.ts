/** Further samples for the cases on history and authority, and helpers that forge them. */
import { manifestOf } from "../manifest.ts"
import { chainHash } from "../sample-authority.ts"
import { type Forgery, makeSample, type Sample } from "../sample.ts"
import { type Members, uuid } from "../signing.ts"
import { briefSample, chainForgeries } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs } from "./case-builders.ts"

/** A package alone that this check refuses: it is smaller than the exported file and has no status. */
export const refusal = (name: string, why: string, check: string, code: string, making: CaseInputs = {}): Case =>
  failCase(name, why, check, code, { artifact: (sample) => sample.review["record"], ...making })

export const unrelatedPerson = `person_${uuid(88)}`
export const elsewhere = `organization_${uuid(88)}`

/** A result without agents and with two submissions: changes were requested for the first, the second was accepted. */
export const twoRounds = (forgery: Forgery = {}): Sample => makeSample(chainForgeries(people, forgery))

const people: Forgery = {
  history: (events) => {
    for (const event of events) event["actor"] = { ...event["actor"], execution: null }
  },
  event: (event) => {
    if (event["kind"] === "ISSUE") event["actor"] = { ...event["actor"], execution: null }
  }
}

/** The brief result with events of these kinds by each side's agent, and the others by people. */
export const delegated =
  (...kinds: ReadonlyArray<string>) =>
  (forgery: Forgery = {}): Sample => {
    let buyersAgent: Members = {}
    const agentActors: Forgery = {
      history: (events, { buyer, supplier }) => {
        buyersAgent = buyer
        for (const event of events) {
          const agent = event["actor"].role === "BUYER" ? buyer : supplier
          if (kinds.includes(event["kind"])) event["actor"] = structuredClone(agent)
        }
      },
      event: (event) => {
        if (event["kind"] === "ISSUE" && kinds.includes("ISSUE")) event["actor"] = structuredClone(buyersAgent)
      }
    }
    return briefSample(chainForgeries(agentActors, forgery))
  }

/** Edits the package, and computes its manifest again. */
export const repack = (edit: (content: Members) => unknown): Forgery => ({
  content: (content) => void edit(content),
  package: (content) => {
    const { manifest: _, ...rest } = content
    const chains = rest["authority"].flatMap((chain: Members) => chain["events"].map(withHash))
    const manifest = manifestOf(rest, chains, rest["events"].map(withHash), payloadOf(rest["record"])["recordId"])
    return { ...rest, manifest }
  }
})

export const repackEvents = (edit: (events: Array<string>) => unknown): Forgery =>
  repack((content) => edit(content["events"]))

export const payloadOf = (jws: string): Members =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString())

const withHash = (jws: string) => ({ jws, hash: chainHash(payloadOf(jws)) })

/** Sets state and reliance of the status. */
export const statusSays = (state: string, reliance: string): Forgery => ({
  status: (status) => void Object.assign(status, { state, reliance })
})
