/** The form fields of a signature: the digest and statement, or the evidence of a signature made elsewhere. */
import { Result, Schema } from "effect"
import { h } from "preact"
import type { Signing } from "../../projects/terms.ts"
import type { ExternalEvidence } from "../../projects/event.ts"
import { statementOf, type SignatureInput } from "../../projects/signing.ts"
import { addMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkbox } from "../kit/choices.ts"
import { brokenRules, textField, type FormState, type Problem } from "../kit/fields.ts"
import { hiddenField, type Controls, type FormValues } from "../kit/form-field.ts"
import { optionalLine } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { instantFrom } from "../kit/time-input.ts"
import { linkTo, notice, paragraph, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { projectPath } from "./path.ts"
import type { ProjectPageModel } from "./read-model.ts"

/** All fields are optional in the schema: which are required depends on the method, and on the decision in a review. */
export const signatureFields = (subject: Subject, digest: string | undefined) => ({
  signed: {
    schema: Schema.optionalKey(Schema.Literals(["on"])),
    control: (state: FormState, name: string): Content => checkbox(state, { name, label: statementOf(subject) })
  },
  signedDigest: hiddenField(digest),
  provider: evidenceField(subject, "The provider", "Provider of the signature"),
  evidence: evidenceField(subject, "The reference", "Reference there"),
  fileName: evidenceField(subject, "The name of the file", "Name of the signed file"),
  fileDigest: evidenceField(subject, "The SHA-256 of the file", "SHA-256 of the signed file"),
  signedAt: evidenceField(subject, "The time of the signature", "When it was signed", {
    hint: "In UTC, such as 2026-11-21 09:30."
  })
})

type Subject = "AGREEMENT" | "ACCEPTANCE"
type SignatureFields = ReturnType<typeof signatureFields>

/** In a review only an acceptance needs it, so the browser must not require it. */
const evidenceField = (subject: Subject, what: string, label: string, hint: { readonly hint?: string } = {}) => ({
  label,
  schema: Schema.optionalKey(optionalLine(what, limits.titleCharacters)),
  control: (state: FormState, name: string): Content =>
    textField(state, { name, label, isOptional: subject === "ACCEPTANCE", maxLength: limits.titleCharacters, ...hint })
})

/** The controls for a signature of this digest by the agreed method; none where no signature is required. */
export const signatureFieldset = (
  { project }: ProjectPageModel,
  subject: Subject,
  digest: string,
  { signed, signedDigest, provider, evidence, fileName, fileDigest, signedAt }: Controls<SignatureFields>
): Content => {
  const { signing } = project.agreement.terms
  if (signing === undefined) return null
  return signing.method === "NATIVE"
    ? [paragraph("You sign this digest: ", h("code", null, digest)), signedDigest, signed]
    : [
        paragraph(
          "It is signed elsewhere. Record the evidence; this service stores it and does not verify it.",
          subject === "ACCEPTANCE" ? " To accept, fill in all of these fields." : null
        ),
        [provider, evidence, fileName, fileDigest, signedAt]
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
  const again = linkTo(signInAgainPath(`${projectPath(projectId)}/${path}`), "Sign in again")
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

/** The signature as the command's input, or the missing fields. */
export const readSignature = (
  { method }: Signing,
  entered: FormValues<SignatureFields>
): Result.Result<SignatureInput, ReadonlyArray<Problem>> => {
  if (method === "EXTERNAL") return Result.map(readEvidence(entered), (evidence) => ({ method, evidence }))
  return entered.signed === "on"
    ? Result.succeed({ method, digest: entered.signedDigest ?? "" })
    : Result.fail([{ field: "signed", message: "Tick the box to sign." }])
}

const readEvidence = (
  entered: FormValues<SignatureFields>
): Result.Result<ExternalEvidence, ReadonlyArray<Problem>> => {
  const { provider = "", evidence: reference = "", fileName = "", fileDigest = "", signedAt = "" } = entered
  const sha256 = fileDigest.toLowerCase()
  const instant = instantFrom(signedAt)
  const problems = brokenRules([
    [provider === "", "provider", "The provider is needed."],
    [reference === "", "evidence", "The reference is needed."],
    [fileName === "", "fileName", "The name of the file is needed."],
    [!/^[0-9a-f]{64}$/.test(sha256), "fileDigest", "The SHA-256 has 64 hexadecimal characters."],
    [instant === undefined, "signedAt", "The time looks like 2026-11-21 09:30."]
  ])
  return instant !== undefined && problems.length === 0
    ? Result.succeed({ provider, reference, fileName, sha256, signedAt: instant })
    : Result.fail(problems)
}
