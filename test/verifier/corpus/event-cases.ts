/** Cases on single objects inside a package that was signed again: their signatures and schemas. */
import { editEvent, editManifest, editPackage, hex } from "../forgeries.ts"

import type { Forgery } from "../sample.ts"
import { jcs, keys, kid, type Members, signBytes, signPayload } from "../signing.ts"
import { refusal } from "./samples.ts"
import type { Case } from "./case.ts"

/** Replaces the signature of the submission. */
const signSubmission = (sign: (event: Members) => string): Forgery => ({
  signEvent: (event, index) => (index === 2 ? sign(event) : undefined)
})

const editFile = (edit: (file: Members) => unknown): Forgery =>
  editEvent("SUBMIT", (event) => edit(event["payload"].items[0].files[0]))

const signatures: ReadonlyArray<Case> = [
  refusal(
    "event/forged-under-trusted-kid_fail",
    "A stranger signed an event under the name of the issuer's key; the package round it is properly signed.",
    "event-signature",
    "SIGNATURE_INVALID",
    {
      forgery: signSubmission((event) =>
        signBytes(jcs({ alg: "EdDSA", kid: kid("EVENT"), typ: event["schema"] }), jcs(event), keys.stranger.privateKey)
      )
    }
  ),
  refusal(
    "event/signature-of-another-event_fail",
    "An event carries a signature that the issuer made over another event; it does not fit these bytes.",
    "event-signature",
    "SIGNATURE_INVALID",
    {
      forgery: signSubmission((event) =>
        signPayload("EVENT", event).replace(
          /[^.]*$/,
          signPayload("EVENT", { ...event, requestId: "another" }).split(".")[2]!
        )
      )
    }
  ),
  refusal(
    "event/signature-removed_fail",
    "An event lost its signature and the dot before it; the signature of the package does not stand in for it.",
    "event-signature",
    "JWS_FORM",
    { forgery: signSubmission((event) => signPayload("EVENT", event).replace(/\.[^.]*$/, "")) }
  )
]

const forms: ReadonlyArray<Case> = [
  refusal(
    "event/unknown-kind_fail",
    "An event is of a kind that does not exist; a reader who skips it may miss what it did.",
    "event-form",
    "FIELD_TYPE",
    {
      forgery: editEvent("RESPOND", (event) => (event["kind"] = "APPROVE"))
    }
  ),
  refusal(
    "event/unknown-member_fail",
    "An answer has one member more; it could change the meaning of the others.",
    "event-form",
    "UNKNOWN_MEMBER",
    { forgery: editEvent("RESPOND", (event) => (event["payload"].condition = "Payment first")) }
  ),
  refusal(
    "package/null-for-absent_fail",
    "A decision has the note null; a member that may be absent is never null.",
    "package-form",
    "FIELD_TYPE",
    { forgery: editEvent("REVIEW", (event) => (event["payload"].decisions[0].note = null)) }
  ),
  refusal(
    "event/absent-for-null_fail",
    "An actor has no execution at all; for a person it is null, and always present.",
    "event-form",
    "MISSING_MEMBER",
    { forgery: editEvent("RESPOND", (event) => delete event["actor"].execution) }
  ),
  refusal(
    "package/size-as-text_fail",
    'The size of a file is the text "11"; readers would turn it into numbers differently.',
    "package-form",
    "FIELD_TYPE",
    {
      forgery: editFile((file) => (file["size"] = "11"))
    }
  ),
  refusal(
    "package/size-as-arabic-digits_fail",
    "The size of a file is a text of Arabic-Indic digits; a size is an integer.",
    "package-form",
    "FIELD_TYPE",
    { forgery: editFile((file) => (file["size"] = "\u0661\u0661")) }
  ),
  refusal(
    "package/file-digest-in-capitals_fail",
    "The digest of a file is in capitals; a digest has one spelling.",
    "package-form",
    "DIGEST_FORM",
    { forgery: editFile((file) => (file["sha256"] = hex("A"))) }
  )
]

const enclosed: ReadonlyArray<Case> = [
  refusal(
    "package/unknown-member_fail",
    "A package has one member more than its version knows; it could change the meaning of the others.",
    "package-form",
    "UNKNOWN_MEMBER",
    { forgery: editPackage((content) => (content["note"] = "Approved")) }
  ),
  refusal(
    "package/without-authority_fail",
    "A package has no list of authority chains; where nobody sent an agent the list is there, and empty.",
    "package-form",
    "MISSING_MEMBER",
    {
      forgery: editPackage((content) => delete content["authority"])
    }
  ),
  refusal(
    "package/manifest-size-as-text_fail",
    "The manifest gives a size as a text; a size is an integer.",
    "package-form",
    "FIELD_TYPE",
    {
      forgery: editManifest((manifest) => (manifest[0].bytes = String(manifest[0].bytes)))
    }
  )
]

export const eventCases: ReadonlyArray<Case> = [...signatures, ...forms, ...enclosed]
