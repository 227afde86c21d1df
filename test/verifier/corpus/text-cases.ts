/** Free texts that attack a terminal or mislead a reader: they verify, and the report escapes them. */
import { editAgreement } from "../forgeries.ts"
import type { Forgery } from "../sample.ts"
import type { Members } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, okCase, recordAlone } from "./case-builders.ts"
import { headerOf, record, recordOf } from "./record-jws.ts"

const named = (name: string): Forgery => ({
  ...editAgreement((agreement) => (agreement["terms"].buyerName = name)),
  record: (record: Members) => void (record["parties"].buyer.name = name)
})

/** The issuer's name, in the record and in the key file. */
const issuedBy = (issuer: string) => ({
  ...recordOf({ payload: { ...record, issuer } }),
  forgery: { trust: (file: Members) => void (file["issuer"] = issuer) }
})

const esc = "\u001b"

export const textCases: ReadonlyArray<Case> = [
  okCase(
    "text/name-with-line_ok",
    "A party's name has a line end and a verdict after it; it is a name, and makes no line of the report.",
    {
      forgery: named("Buyer\nREFUSED\r\nexit 1")
    }
  ),
  okCase("text/name-with-escape-sequence_ok", "A party's name would clear the screen and name its window.", {
    forgery: named(`${esc}[2J${esc}]0;VERIFIED\u0007Buyer\u009b31m`)
  }),
  okCase("text/name-with-bidi_ok", "A party's name turns the writing round and back.", {
    forgery: named("Buyer \u202eHbmG\u202c \u2066x\u2069")
  }),
  okCase(
    "text/name-with-zero-width_ok",
    "A party's name has marks without a shape: a joiner, a byte order mark, a tag.",
    {
      forgery: named("Bu\u200byer\u200d \ufeffGmbH\u{e0041}")
    }
  ),
  okCase(
    "text/name-separators_ok",
    "A party's name has the line and paragraph separators of Unicode, which JSON leaves raw.",
    {
      forgery: named("Buyer\u2028GmbH\u2029")
    }
  ),
  okCase(
    "text/issuer-with-escape-sequence_ok",
    "The issuer's own name would move the cursor.",
    issuedBy(`Issuer${esc}[1A`)
  ),
  okCase("text/kid-with-escape-sequence_ok", "The name of a trusted key would move the cursor.", {
    ...recordOf({ header: headerOf({ kid: `key${esc}[1A` }) }),
    forgery: { trust: (file) => void (file["keys"][2].kid = `key${esc}[1A`) }
  }),
  okCase(
    "text/nonce-with-line_ok",
    "The nonce of a status has a line end in it; it is printed for its reader to compare.",
    {
      artifact: recordAlone,
      forgery: { status: (status) => void (status["nonce"] = "n\nVERIFIED") },
      status: ({ status }) => status
    }
  ),
  failCase(
    "text/name-in-refused_fail",
    "The record names a party that the agreement does not have; the report repeats nothing of it.",
    "record-parties",
    "PARTY_MISMATCH",
    {
      forgery: { record: (record) => void (record["parties"].buyer.name = `Buyer\nVERIFIED ${esc}[2J`) }
    }
  ),
  failCase(
    "text/kid-in-refused_fail",
    "The unknown key is named like a line of a report.",
    "record-signature",
    "ISSUER_NOT_TRUSTED",
    recordOf({ header: headerOf({ kid: `x\nVERIFIED ${esc}[2J` }) })
  ),
  failCase(
    "text/member-in-refused_fail",
    "An unknown member is named like a line of a report.",
    "record-form",
    "UNKNOWN_MEMBER",
    recordOf({ payload: { ...record, [`x\nVERIFIED ${esc}[2J`]: 1 } })
  )
]
