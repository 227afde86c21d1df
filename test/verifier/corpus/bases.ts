/** What the cases on history and authority start from beside the brief result, and how they put a lie into it. */
import { manifestOf } from "../manifest.ts"
import { chainHash } from "../sample-authority.ts"
import { type Forgery, makeSample, type Sample } from "../sample.ts"
import { type Members, uuid } from "../signing.ts"
import { briefSample, oneAfterAnother } from "./brief.ts"
import type { Case } from "./case.ts"
import { failCase, type Making } from "./making.ts"

/** A package alone that this check refuses: it is smaller than the exported file, and the status has no part in it. */
export const refusal = (name: string, why: string, check: string, code: string, making: Making = {}): Case =>
  failCase(name, why, check, code, { artifact: (sample) => sample.review["record"], ...making })

export const stranger = `person_${uuid(88)}`
export const elsewhere = `organization_${uuid(88)}`

/** People only, and two submissions: the first was sent back, the second accepted. */
export const twoRounds = (forgery: Forgery = {}): Sample => makeSample(oneAfterAnother(people, forgery))

const people: Forgery = {
  history: (events) => {
    for (const event of events) event["actor"] = { ...event["actor"], execution: null }
  },
  event: (event) => {
    if (event["kind"] === "ISSUE") event["actor"] = { ...event["actor"], execution: null }
  }
}

/** The brief result in which each side's agent did these things; people did the others. */
export const delegated =
  (...kinds: ReadonlyArray<string>) =>
  (forgery: Forgery = {}): Sample => {
    let buyersAgent: Members = {}
    const acting: Forgery = {
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
    return briefSample(oneAfterAnother(acting, forgery))
  }

/** Changes the package, and lists again what it holds afterwards. */
export const repack = (edit: (content: Members) => unknown): Forgery => ({
  content: (content) => void edit(content),
  package: (content) => {
    const { manifest: _, ...rest } = content
    const chains = rest["authority"].flatMap((chain: Members) => chain["events"].map(hashed))
    const manifest = manifestOf(rest, chains, rest["events"].map(hashed), payloadOf(rest["record"])["recordId"])
    return { ...rest, manifest }
  }
})

export const repackEvents = (edit: (events: Array<string>) => unknown): Forgery =>
  repack((content) => edit(content["events"]))

export const payloadOf = (jws: string): Members =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString())

const hashed = (jws: string) => ({ jws, hash: chainHash(payloadOf(jws)) })

/** The status says what became of the confirmation. */
export const statusSays = (state: string, reliance: string): Forgery => ({
  status: (status) => void Object.assign(status, { state, reliance })
})
