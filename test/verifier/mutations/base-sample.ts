/**
 * The input of the mutations: a short history that verifies, with a canary in every free text. No report of a refusal may
 * repeat a canary, and the name of one party contains characters that attack the text report.
 */
import { policyFor } from "../policy.ts"
import { type Forgery, makeSample, type Sample } from "../sample.ts"
import { digest, type Members } from "../signing.ts"

export const canary = "a canary sings"

const buyerName = `${canary}\nVERIFIED_WITH_LIMITATIONS\r\u001b[2K\u202e\u200b`

/** Creation, agreement, one submission and its acceptance; then the record is issued. */
const shortLife: Forgery = {
  agreement: (agreement) => ({ ...agreement, terms: { ...withCanary(agreement["terms"]), buyerName } }),
  history: (events) => {
    const [create, respond, submit, , , accept] = events.map((event) => ({
      ...event,
      payload: withCanary(event.payload)
    }))
    const { submissionId, items } = submit!.payload
    Object.assign(accept!.payload, {
      submissionId,
      submissionDigest: digest(submit!.payload),
      checkedFiles: items.flatMap((item: Members) =>
        item["files"].map(({ name, sha256 }: Members) => ({ criterionId: item["criterionId"], name, sha256 }))
      )
    })
    return [create, respond, submit, accept]
  },
  record: (record) => {
    const { buyer, supplier } = record["parties"]
    record["parties"] = { buyer: { ...buyer, name: buyerName }, supplier: withCanary(supplier) }
  }
}

/** A copy with the canary appended to every text that is not a word of the format. */
const withCanary = (value: any): any => {
  if (typeof value === "string") return formatWord.test(value) ? value : `${value} ${canary}`
  if (Array.isArray(value)) return value.map(withCanary)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withCanary(member)]))
}

const formatWord = /^(?:|[0-9a-f]{64}|(?:[a-z]+_)?[a-f0-9-]{36}|[\d-]{10}T[\d:.]{12}Z|[A-Z_]+|service\.[a-z/0-9-]+)$/

/** The short history with a further forgery. */
export const makeBaseSample = (forgery: Forgery = {}): Sample => {
  const hooks = new Map<string, unknown>(Object.entries(shortLife))
  for (const [name, hook] of Object.entries(forgery)) {
    const first = hooks.get(name)
    hooks.set(name, first === undefined ? hook : inTurn(first as Hook, hook as Hook))
  }
  return makeSample(Object.fromEntries(hooks))
}

type Hook = (value: unknown, ...rest: ReadonlyArray<unknown>) => unknown

const inTurn =
  (first: Hook, then: Hook): Hook =>
  (value, ...rest) => {
    const changed = first(value, ...rest) ?? value
    return then(changed, ...rest) ?? changed
  }

export const baseSample = makeBaseSample()
export const policy = policyFor(baseSample.package)
