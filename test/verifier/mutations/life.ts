/**
 * What is mutated: a short life that verifies, with a canary in every free text. No report of a refusal may repeat one,
 * and the name of a party tries what a name can do to a report that is read.
 */
import { policyFor } from "../policy.ts"
import { type Forgery, makeSample, type Sample } from "../sample.ts"
import { digest, type Members } from "../signing.ts"

export const canary = "a canary sings"

const buyerName = `${canary}\nVERIFIED_WITH_LIMITATIONS\r\u001b[2K\u202e\u200b`

/** Creation, agreement, one submission and its acceptance; then the record is issued. */
const shortLife: Forgery = {
  agreement: (agreement) => ({ ...agreement, terms: { ...planted(agreement["terms"]), buyerName } }),
  history: (events) => {
    const [create, respond, submit, , , accept] = events.map((event) => ({ ...event, payload: planted(event.payload) }))
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
    record["parties"] = { buyer: { ...buyer, name: buyerName }, supplier: planted(supplier) }
  }
}

/** The same value with the canary behind every text that is not one of the format's own. */
const planted = (value: any): any => {
  if (typeof value === "string") return formatsOwn.test(value) ? value : `${value} ${canary}`
  if (Array.isArray(value)) return value.map(planted)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, planted(member)]))
}

const formatsOwn = /^(?:|[0-9a-f]{64}|(?:[a-z]+_)?[a-f0-9-]{36}|[\d-]{10}T[\d:.]{12}Z|[A-Z_]+|service\.[a-z/0-9-]+)$/

/** The short life with one more lie in it. */
export const makeLife = (lie: Forgery = {}): Sample => {
  const hooks = new Map<string, unknown>(Object.entries(shortLife))
  for (const [name, hook] of Object.entries(lie)) {
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

export const life = makeLife()
export const policy = policyFor(life.package)
