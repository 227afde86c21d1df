/** The published schemas, as strict as ajv can be, and a signer that signs nothing but what they describe. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Effect } from "effect"
import type { Signer } from "../../src/ports/signer.ts"
import { formatNames, schemaDocument, type FormatName } from "../../src/records/schemas.ts"

const compilerOf = (allErrors: boolean) => {
  // Without `ownProperties` a member that every object inherits would count as present.
  const ajv = new Ajv2020({ ownProperties: true, strict: true, strictRequired: true, allErrors })
  for (const name of formatNames) ajv.addSchema(schemaDocument(name))
  return (name: FormatName, definition?: string): ValidateFunction =>
    ajv.getSchema(`${name}.schema.json${definition === undefined ? "" : `#/$defs/${definition}`}`)!
}

/** Says whether a value fits, with the first fault; compiled once it is asked for. */
export const validatorOf = compilerOf(false)

/** Finds every fault, which takes longer. */
export const faultFinderOf = compilerOf(true)

/** `service-project-event-v1` for `service.project-event/v1`. */
export const formatOf = (schema: unknown): FormatName | undefined =>
  formatNames.find((name) => name === String(schema).replaceAll(/[./]/g, "-"))

/** What is wrong with a value; empty where it fits. */
export const faultsOf = (validate: ValidateFunction, value: unknown): string =>
  validate(value)
    ? ""
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(", ")

export const payloadOf = (jws: string): any => JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString())

/** Every test that signs anything holds the issuer to its schemas: a payload that does not fit is a defect. */
export const describedSigner = (signer: Signer["Service"]): Signer["Service"] => ({
  keys: signer.keys,
  sign: (purpose, payload) =>
    Effect.tap(signer.sign(purpose, payload), (jws) => {
      const format = formatOf(payload.schema)
      const faults = format === undefined ? "" : faultsOf(validatorOf(format), payloadOf(jws))
      if (faults === "") return Effect.void
      // The service answers a defect without a word about it.
      process.stderr.write(`The issuer made what its schema does not describe: ${payload.schema}: ${faults}\n`)
      return Effect.die(new Error(faults))
    })
})
