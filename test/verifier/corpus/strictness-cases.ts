/** Valid JSON that parsers interpret differently: duplicate names, numbers, depth. */
import { jcs } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs } from "./case-builders.ts"

const check = "artifact-file"

/** The exported file in canonical form, with its text edited before it is encoded. */
const text = (change: (text: string) => string): CaseInputs => ({ artifact: ({ review }) => change(jcs(review)) })

/** The enclosed keys with this text before their first member. */
const member = (name: string): CaseInputs => text((file) => file.replace('"trust":{', `"trust":{${name},`))

/** A number in place of a null in the enclosed keys. */
const number = (lexeme: string): CaseInputs => text((file) => file.replace('"revokedAt":null', `"revokedAt":${lexeme}`))

const names: ReadonlyArray<Case> = [
  failCase(
    "bytes/record-twice_fail",
    "Two records in one file: some readers keep the first, others the last.",
    check,
    "DUPLICATE_KEY",
    text((file) => file.replace('{"record":', '{"record":"another","record":'))
  ),
  failCase(
    "bytes/equal-member-twice_fail",
    "A member stands there twice with the same value, and no reader says so.",
    check,
    "DUPLICATE_KEY",
    member('"issuer":"Countersign Test"')
  ),
  failCase(
    "bytes/member-twice-in-list_fail",
    "The doubled member is deep inside a list of the enclosed keys.",
    check,
    "DUPLICATE_KEY",
    text((file) => file.replace('"crv":"Ed25519"', '"crv":"Ed25519","crv":"Ed25519"'))
  ),
  failCase(
    "bytes/member-twice-by-escape_fail",
    "The second spelling of the member has an escape for its first letter.",
    check,
    "DUPLICATE_KEY",
    member('"\\u0069ssuer":"Countersign Test"')
  ),
  failCase(
    "bytes/member-twice-by-slash_fail",
    "A slash and an escaped slash are one name.",
    check,
    "DUPLICATE_KEY",
    member('"/":1,"\\/":1')
  ),
  failCase(
    "bytes/member-twice-by-surrogates_fail",
    "A character beyond U+FFFF and its surrogate pair are one name.",
    check,
    "DUPLICATE_KEY",
    member('"😀":1,"\\ud83d\\ude00":1')
  ),
  ...["__proto__", "constructor", "toString"].map((name) =>
    failCase(
      `bytes/${name.toLowerCase().replaceAll("_", "")}-twice_fail`,
      `The member ${name} stands there twice; a reader that looks for inherited names sees neither.`,
      check,
      "DUPLICATE_KEY",
      member(`"${name}":1,"${name}":2`)
    )
  ),
  failCase(
    "bytes/empty-name-twice_fail",
    "The empty text is a name like any other, and stands there twice.",
    check,
    "DUPLICATE_KEY",
    member('"":1,"":1')
  )
]

const numbers: ReadonlyArray<Case> = [
  ["fraction", "1.0", "1.0 is an integer for some readers and a fraction for others"],
  ["exponent", "1e3", "1e3 is a second spelling of 1000"],
  ["minus-zero", "-0", "Minus zero is zero for some readers and a number of its own for others"],
  ["leading-zero", "01", "A leading zero made a number octal once"],
  ["two-to-the-53rd", "9007199254740992", "2^53 is the first integer that a double takes for its neighbour too"],
  ["below-range", "-9007199254740992", "-(2^53) is outside the integers that every reader keeps apart"],
  ["infinite", "1e400", "1e400 is infinite in a double"],
  ["plus", "+1", "A plus sign is no part of a number in JSON"],
  ["minus-alone", "-", "A minus sign alone is no number"],
  ["thirty-digits", "1".repeat(30), "Thirty digits are rounded by most readers"]
].map(([name, lexeme, why]) => failCase(`bytes/number-${name}_fail`, `${why}.`, check, "NUMBER_FORM", number(lexeme!)))

const depths: ReadonlyArray<Case> = [
  failCase(
    "bytes/33-levels_fail",
    "The document is nested 33 levels deep, one more than every reader has to bear.",
    check,
    "LIMIT_DEPTH",
    number("[".repeat(29) + "]".repeat(29))
  ),
  failCase(
    "bytes/ten-thousand-levels_fail",
    "Ten thousand levels end a careless reader's stack before they end the file.",
    check,
    "LIMIT_DEPTH",
    { artifact: () => "[".repeat(10_000) }
  )
]

export const strictnessCases: ReadonlyArray<Case> = [names, numbers, depths].flat()
