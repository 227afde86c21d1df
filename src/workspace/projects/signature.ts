/** The form fields of a signature: the digest and statement, or the evidence of a signature made elsewhere. */
import { Result, Schema } from "effect"
import { h } from "preact"
import type { ExternalEvidence } from "../../projects/event.ts"
import { statementOf, type SignatureInput } from "../../projects/signing.ts"
import { addMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkbox } from "../kit/choices.ts"
import { hidden, textField, type FormState, type Problem } from "../kit/fields.ts"
import { optionalLine } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { instantFrom } from "../kit/time-input.ts"
import { linkTo, notice, paragraph, time } from "../kit/parts.ts"
import type { ProjectPageModel } from "./read-model.ts"
import type { Visitor } from "../kit/visitor.ts"

/** All fields are optional in the schema: which are required depends on the decision in the form. */
export const signatureFields = {
  signed: Schema.optionalKey(Schema.Literals(["on"])),
  signedDigest: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(optionalLine("The provider", limits.titleCharacters)),
  evidence: Schema.optionalKey(optionalLine("The reference", limits.titleCharacters)),
  fileName: Schema.optionalKey(optionalLine("The name of the file", limits.titleCharacters)),
  fileDigest: Schema.optionalKey(optionalLine("The SHA-256 of the file", limits.titleCharacters)),
  signedAt: Schema.optionalKey(optionalLine("The time of the signature", limits.titleCharacters))
}

const Signature = Schema.Struct(signatureFields)
type SignatureValues = typeof Signature.Type

/** The fields for a signature of this digest by the agreed method; none where no signature is required. */
export const signatureFieldset = (
  { project }: ProjectPageModel,
  subject: "AGREEMENT" | "ACCEPTANCE",
  digest: string,
  state: FormState
): Content => {
  const { signing } = project.agreement.terms
  if (signing === undefined) return null
  return signing.method === "NATIVE"
    ? [
        paragraph("You sign this digest: ", h("code", null, digest)),
        hidden("signedDigest", digest),
        checkbox(state, { name: "signed", label: statementOf(subject) })
      ]
    : evidenceFields(state, subject)
}

/** In a review only an acceptance needs them, so the browser must not require them. */
const evidenceFields = (state: FormState, subject: "AGREEMENT" | "ACCEPTANCE"): Content => {
  const isOptional = subject === "ACCEPTANCE"
  const field = (name: string, label: string, hint?: string) =>
    textField(state, {
      name,
      label,
      isOptional,
      maxLength: limits.titleCharacters,
      ...(hint === undefined ? {} : { hint })
    })
  return [
    paragraph(
      "It is signed elsewhere. Record the evidence; this service stores it and does not verify it.",
      isOptional ? " To accept, fill in all of these fields." : null
    ),
    field("provider", "Provider of the signature"),
    field("evidence", "Reference there"),
    field("fileName", "Name of the signed file"),
    field("fileDigest", "SHA-256 of the signed file"),
    field("signedAt", "When it was signed", "In UTC, such as 2026-11-21 09:30.")
  ]
}

/** Says until when the sign-in is recent enough to sign, or that a new one is needed, before the form is filled in. */
export const signInNotice = (
  { project, projectId }: ProjectPageModel,
  { person }: Visitor,
  path: string,
  now: Instant
): Content => {
  if (project.agreement.terms.signing?.method !== "NATIVE") return null
  const goodUntil = addMilliseconds(person.authenticatedAt, limits.signingSignIn)
  const again = linkTo(signInPath(projectId, path), "Sign in again")
  return notice(
    "warning",
    goodUntil <= now
      ? paragraph(
          "A signature needs a sign-in within the last 15 minutes. ",
          again,
          " first; you return to this page afterwards."
        )
      : paragraph(
          "A signature needs a sign-in within the last 15 minutes. Yours is recent enough until ",
          time(goodUntil),
          ". ",
          again,
          " before you fill in the form if you need more time: entered values are not kept."
        )
  )
}

const signInPath = (projectId: string, path: string): `/workspace/${string}` =>
  signInAgainPath(`/workspace/projects/${projectId}/${path}`)

/** The signature as the command's input, or the missing fields. */
export const readSignature = (
  { project }: ProjectPageModel,
  entered: SignatureValues
): Result.Result<SignatureInput | undefined, ReadonlyArray<Problem>> => {
  const { signing } = project.agreement.terms
  if (signing === undefined) return Result.succeed(undefined)
  if (signing.method === "EXTERNAL") {
    return Result.map(readEvidence(entered), (evidence) => ({ method: "EXTERNAL", evidence }))
  }
  return entered.signed === "on"
    ? Result.succeed({ method: "NATIVE", digest: entered.signedDigest ?? "" })
    : Result.fail([{ field: "signed", message: "Tick the box to sign." }])
}

const readEvidence = (entered: SignatureValues): Result.Result<ExternalEvidence, ReadonlyArray<Problem>> => {
  const { provider = "", evidence: reference = "", fileName = "", fileDigest = "", signedAt = "" } = entered
  const sha256 = fileDigest.toLowerCase()
  const instant = instantFrom(signedAt)
  const problems: ReadonlyArray<Problem | undefined> = [
    provider === "" ? { field: "provider", message: "The provider is needed." } : undefined,
    reference === "" ? { field: "evidence", message: "The reference is needed." } : undefined,
    fileName === "" ? { field: "fileName", message: "The name of the file is needed." } : undefined,
    /^[0-9a-f]{64}$/.test(sha256)
      ? undefined
      : { field: "fileDigest", message: "The SHA-256 has 64 hexadecimal characters." },
    instant !== undefined ? undefined : { field: "signedAt", message: "The time looks like 2026-11-21 09:30." }
  ]
  const found = problems.filter((problem) => problem !== undefined)
  return instant !== undefined && found.length === 0
    ? Result.succeed({ provider, reference, fileName, sha256, signedAt: instant })
    : Result.fail(found)
}
