/** A closure of the short history and a payment with every component, with a canary in every free text. */
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import { policyFor } from "../policy.ts"
import { provenStatements } from "../proven-statements.ts"
import { checkedAt } from "../sample.ts"
import { type ClosureForgery, type ClosureSample, makeClosure } from "../sample-closure.ts"
import { allObservations } from "../sample-commerce.ts"
import { detach, type Members, signPayload } from "../signing.ts"
import { baseSample, canary, makeBaseSample } from "./base-sample.ts"
import { replaceValue } from "../corpus/closure-samples.ts"
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

/** The same with a lineage, in which each of its objects has a hook. */
const makeExtended = ({ manifest, reference, link, snapshot, lineage, ...own }: Hooks) =>
  makeWithCanary({
    ...own,
    lineage: {
      passport: {
        summary: (one: Members) => void (one["title"] = `${canary} ${one["title"]}`),
        ...(manifest && { manifest })
      },
      reference: (one: Members) => {
        one["reason"] = canary
        return reference?.(one) ?? one
      },
      ...(link && { link }),
      ...(snapshot && { snapshot }),
      ...(lineage && { file: lineage })
    }
  } as unknown as Hooks)

const policy = policyFor(makeWithCanary({}).parts.resultPackage)

const filesOf = ({ file, trust, statusFile }: ClosureSample, choices: Choices): Files => {
  const files = { artifact: file, trust }
  return choices.oneOf([files, { ...files, status: statusFile }, { ...files, authority: policy }])
}

/** The signed objects inside of the body. */
const artifactsOf = ({ file }: ClosureSample): ReadonlyArray<string> => {
  const { data, lineage } = file["body"]
  const { passport, ...signed } = lineage ?? {}
  return [...Object.values<string>(data.artifacts), ...Object.values<string>(signed), ...(passport?.summaries ?? [])]
}

/** The closure with its payload inside the signature, as the edits of signed objects take it. */
const compactOf = ({ body }: ClosureSample): string => signPayload("CLOSURE", body)

/** Replaces one signed object: the closure, an artifact, around which it is signed again, or half a status. */
const replace = (sample: ClosureSample, compact: string, old: string, by: string): ClosureSample => {
  const { body } = sample.file
  if (old === compact) {
    return { ...sample, file: { ...sample.file, body: bodyIn(by) ?? body, signature: detach(by) } }
  }
  const exchange = (value: Members): Members => replaceValue(value, old, by)
  const again = exchange(body)
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
const placesOfLineage = { manifest: 1, reference: 1, link: 1, snapshot: 1, lineage: 1 }

const baseOf = (make: (hooks: Hooks) => ClosureSample, places: Readonly<Record<string, number>>): Base => {
  const sample = make({})
  const compact = compactOf(sample)
  const files = { artifact: sample.file, trust: sample.trust, status: sample.statusFile, authority: policy }
  return {
    files: (choices) => filesOf(sample, choices),
    values: files,
    inMemory: files,
    editSigned: (edit, choices) => {
      const all = [compact, compact, ...artifactsOf(sample), ...Object.values<string>(sample.statusFile)]
      const jws = choices.oneOf(all)
      const edited = edit(jws, choices, [...all, baseSample.record])
      return filesOf(replace(sample, compact, jws, edited), choices)
    },
    forge: (choices) => filesOf(forge(make, places, choices), choices),
    statements: provenStatements(
      verifyResultFiles({ artifact: sample.bytes(sample.file), trust: sample.bytes(sample.trust), checkedAt })
    )
  }
}

export const closureBase = baseOf(makeWithCanary, placesOf)
export const extendedClosureBase = baseOf(makeExtended, { ...placesOf, ...placesOfLineage })
