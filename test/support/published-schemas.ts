/** The published schemas in ajv's strict mode, and a signer that signs only payloads valid under them. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Effect, Schema } from "effect"
import { TransactionClosure } from "../../src/closure/closure.ts"
import { CommerceRecord } from "../../src/commerce/commerce-record.ts"
import type { Signer } from "../../src/ports/signer.ts"
import { passportSchema, PassportManifest } from "../../src/publications/passport.ts"
import { formatNames, schemaDocument, type FormatName } from "../../src/documents/schemas.ts"

const compilerOf = (allErrors: boolean) => {
  // Without `ownProperties`, inherited members would count as present.
  const ajv = new Ajv2020({ ownProperties: true, strict: true, strictRequired: true, allErrors })
  for (const name of formatNames) ajv.addSchema(schemaDocument(name))
  return (name: FormatName, definition?: string): ValidateFunction =>
    ajv.getSchema(`${name}.schema.json${definition === undefined ? "" : `#/$defs/${definition}`}`)!
}

/** Validates a value and reports the first fault; compiled on first use. */
export const validatorOf = compilerOf(false)

/** Reports every fault, which is slower. */
export const faultFinderOf = compilerOf(true)

/** `service-project-event-v1` for `service.project-event/v1`. */
export const formatOf = (schema: unknown): FormatName | undefined =>
  formatNames.find((name) => name === String(schema).replaceAll(/[./]/g, "-"))

/** The faults of a value; empty if it is valid. */
export const faultsOf = (validate: ValidateFunction, value: unknown): string =>
  validate(value)
    ? ""
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(", ")

export const payloadOf = (jws: string): any => JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString())

/** The schemas of these formats are those of their files; the signed payloads in them name the same schema. */
const payloadsInFiles: ReadonlyMap<string, Schema.Top> = new Map<string, Schema.Top>([
  [passportSchema, PassportManifest],
  ["service.commerce-record/v1", CommerceRecord],
  ["service.transaction-closure-package/v2", TransactionClosure.fields.body]
])

const validatorOfPayload = (schema: string): ValidateFunction | undefined => {
  const payload = payloadsInFiles.get(schema)
  if (payload !== undefined) return validatorOfPayloadInFile(payload)
  const format = formatOf(schema)
  return format === undefined ? undefined : validatorOf(format)
}

const payloadValidators = new Map<Schema.Top, ValidateFunction>()

const validatorOfPayloadInFile = (payload: Schema.Top): ValidateFunction => {
  const known = payloadValidators.get(payload)
  if (known !== undefined) return known
  const { schema, definitions } = Schema.toJsonSchemaDocument(payload, { onExcessProperty: "error" })
  const compiler = new Ajv2020({ ownProperties: true, strict: true, strictRequired: true })
  const compiled = compiler.compile({ ...schema, $defs: definitions })
  payloadValidators.set(payload, compiled)
  return compiled
}

/** Every test that signs validates the issuer's payloads: an invalid one is a defect. */
export const describedSigner = (signer: Signer["Service"]): Signer["Service"] => ({
  keys: signer.keys,
  sign: (purpose, payload) =>
    Effect.tap(signer.sign(purpose, payload), (jws) => {
      const validate = validatorOfPayload(payload.schema)
      const faults = validate === undefined ? "" : faultsOf(validate, payloadOf(jws))
      if (faults === "") return Effect.void
      // The service answers a defect without its details, so they are printed here.
      process.stderr.write(`The issuer's payload is invalid under its schema: ${payload.schema}: ${faults}\n`)
      return Effect.die(new Error(faults))
    })
})
