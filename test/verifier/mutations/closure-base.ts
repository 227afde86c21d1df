/** A closure of the short history and a payment with every component, with a canary in every free text. */
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import { policyFor } from "../policy.ts"
import { provenStatements } from "../proven-statements.ts"
import { checkedAt } from "../sample.ts"
import { type ClosureForgery, type ClosureSample, makeClosure } from "../sample-closure.ts"
import { allObservations } from "../sample-commerce.ts"
import { detach, type Members, signPayload } from "../signing.ts"
import { baseSample, canary, makeBaseSample } from "./base-sample.ts"
import type { Base, Files } from "./base.ts"
import type { Choices } from "./choices.ts"
import { forge } from "./forging.ts"
import { payloadOf } from "./signed-edits.ts"

/** The forged objects of a closure, each with the hook of its part. */
interface Hooks {
  readonly [hook: string]: (value: unknown) => unknown
}

const makeWithCanary = ({ binding, observations, entry, commerceRecord, agreement, package: content, ...own }: Hooks) =>
  makeClosure({
    base: makeBaseSample,
    result: { ...(agreement && { agreement }), ...(content && { package: content }) },
    payment: {
      ...(binding && { binding }),
      ...(entry && { entry }),
      ...(commerceRecord && { record: commerceRecord }),
      observations: () => {
        const all = allObservations().map((one): Members => ({ ...one, entity: `${canary} ${one.entity}` }))
        return observations?.(all) ?? all
      }
    },
    ...(own as ClosureForgery)
  })

const closure = makeWithCanary({})
const policy = policyFor(closure.parts.resultPackage)

const filesOf = ({ file, trust, statusFile }: ClosureSample, choices: Choices): Files => {
  const files = { artifact: file, trust }
  return choices.oneOf([files, { ...files, status: statusFile }, { ...files, authority: policy }])
}

const artifactsOf = ({ file }: ClosureSample): ReadonlyArray<string> => Object.values(file["body"].data.artifacts)

/** The closure with its payload inside the signature, as the edits of signed objects take it. */
const compact = signPayload("CLOSURE", closure.body)

/** Replaces one signed object: the closure, an artifact, around which it is signed again, or half a status. */
const replace = (sample: ClosureSample, old: string, by: string): ClosureSample => {
  const { body } = sample.file
  if (old === compact) {
    return { ...sample, file: { ...sample.file, body: bodyIn(by) ?? body, signature: detach(by) } }
  }
  const exchange = (values: Members): Members =>
    Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one === old ? by : one]))
  const again = { ...body, data: { ...body.data, artifacts: exchange(body.data.artifacts) } }
  const signature = by.isWellFormed() ? detach(signPayload("CLOSURE", again)) : sample.file["signature"]
  return { ...sample, statusFile: exchange(sample.statusFile), file: { ...sample.file, body: again, signature } }
}

/** Undefined where the edited payload is no JSON. */
const bodyIn = (jws: string): unknown => {
  try {
    return payloadOf(jws)
  } catch {
    return undefined
  }
}

const placesOf = {
  terms: 1,
  events: 1,
  event: 2,
  source: 1,
  order: 1,
  artifacts: 1,
  body: 1,
  file: 1,
  statusFile: 1,
  binding: 1,
  observations: 1,
  entry: 8,
  commerceRecord: 1,
  agreement: 1,
  package: 1
}
const files = { artifact: closure.file, trust: closure.trust, status: closure.statusFile, authority: policy }

export const closureBase: Base = {
  files: (choices) => filesOf(closure, choices),
  values: files,
  inMemory: files,
  editSigned: (edit, choices) => {
    const all = [compact, compact, ...artifactsOf(closure), ...Object.values<string>(closure.statusFile)]
    const jws = choices.oneOf(all)
    return filesOf(replace(closure, jws, edit(jws, choices, [...all, baseSample.record])), choices)
  },
  forge: (choices) => filesOf(forge(makeWithCanary, placesOf, choices), choices),
  statements: provenStatements(
    verifyResultFiles({ artifact: closure.bytes(closure.file), trust: closure.bytes(closure.trust), checkedAt })
  )
}
