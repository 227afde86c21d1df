/** Artifact files whose bytes two parsers could read as different documents, or as none. */
import type { Sample } from "../sample.ts"
import { jcs } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase, recordAlone } from "./case-builders.ts"

const check = "artifact-file"

/** The exported file in canonical form, with its text edited before it is encoded. */
const text = (change: (text: string) => string): CaseInputs => ({ artifact: ({ review }) => change(jcs(review)) })

/** The same file with these bytes at the beginning of the issuer's name in the enclosed keys. */
const bytes = (...inserted: ReadonlyArray<number>): CaseInputs => ({
  artifact: ({ review }) => {
    const file = Buffer.from(jcs(review))
    const place = file.indexOf("Countersign Test")
    return Buffer.concat([file.subarray(0, place), Buffer.from(inserted), file.subarray(place)])
  }
})

const documents: ReadonlyArray<Case> = [
  okCase(
    "bytes/white-space_ok",
    "White space between the members of the outer file is nobody's statement, so an indented file verifies.",
    { artifact: ({ review }) => `\r\n\t${JSON.stringify(review, null, "\t")}\n\n` }
  ),
  okCase("bytes/member-order_ok", "The outer file is not signed as a whole, so its members may stand in any order.", {
    artifact: ({ review: { schema, record, trust, status } }) => JSON.stringify({ trust, status, record, schema })
  }),
  okCase(
    "bytes/escapes_ok",
    "An escape in the outer file is another spelling of the same text and changes nothing that is signed.",
    text((file) => file.replace("Countersign Test", "Countersi\\u0067n Test").replaceAll("/", "\\/"))
  ),
  failCase("bytes/empty_fail", "An empty file is no document.", check, "INPUT_NOT_JSON", { artifact: () => "" }),
  failCase("bytes/white-space-alone_fail", "A file of white space holds no document.", check, "INPUT_NOT_JSON", {
    artifact: () => " \n"
  }),
  failCase(
    "bytes/truncated_fail",
    "The last byte is missing, and half a document is none.",
    check,
    "INPUT_NOT_JSON",
    text((file) => file.slice(0, -1))
  ),
  failCase(
    "bytes/trailing-text_fail",
    "Something follows the document that one reader would see and another would not.",
    check,
    "INPUT_NOT_JSON",
    text((file) => `${file}x`)
  ),
  failCase(
    "bytes/two-documents_fail",
    "The same document stands there twice; readers differ on which one counts.",
    check,
    "INPUT_NOT_JSON",
    text((file) => file + file)
  ),
  failCase(
    "bytes/lines-of-documents_fail",
    "A second line holds a second document, as in a file of lines.",
    check,
    "INPUT_NOT_JSON",
    text((file) => `${file}\n{}\n`)
  ),
  failCase(
    "bytes/trailing-comma_fail",
    "A comma before the closing brace is no JSON, though some readers pass over it.",
    check,
    "INPUT_NOT_JSON",
    text((file) => `${file.slice(0, -1)},}`)
  ),
  failCase(
    "bytes/comment_fail",
    "JSON has no comments; a reader that has them sees another document.",
    check,
    "INPUT_NOT_JSON",
    text((file) => file.replace("{", "{/* checked */"))
  ),
  failCase(
    "bytes/control-character_fail",
    "A raw control character stands in a text, where JSON wants an escape.",
    check,
    "INPUT_NOT_JSON",
    bytes(0x01)
  )
]

const raw: ReadonlyArray<Case> = [
  failCase(
    "bytes/nul_fail",
    "A raw U+0000 stands in a text and ends it for programs that were written in C.",
    check,
    "INPUT_NOT_JSON",
    bytes(0x00)
  ),
  failCase(
    "bytes/utf16-without-mark_fail",
    "The file is UTF-16 without a mark, which is UTF-8 with a U+0000 after every letter.",
    check,
    "INPUT_NOT_JSON",
    { artifact: ({ review }) => Buffer.from(jcs(review), "utf16le") }
  )
]

const encodings: ReadonlyArray<Case> = [
  failCase(
    "bytes/byte-order-mark_fail",
    "The file begins with a byte order mark, which some readers drop in silence.",
    check,
    "INPUT_ENCODING",
    text((file) => `\ufeff${file}`)
  ),
  failCase("bytes/utf16_fail", "The file is UTF-16; a record is UTF-8.", check, "INPUT_ENCODING", {
    artifact: ({ review }) => Buffer.from(`\ufeff${jcs(review)}`, "utf16le")
  }),
  failCase(
    "bytes/overlong_fail",
    "The bytes c0 af are an overlong slash, which a careless decoder takes for one.",
    check,
    "INPUT_ENCODING",
    bytes(0xc0, 0xaf)
  ),
  failCase(
    "bytes/encoded-surrogate_fail",
    "The bytes ed a0 80 are half of a surrogate pair, which UTF-8 does not have.",
    check,
    "INPUT_ENCODING",
    bytes(0xed, 0xa0, 0x80)
  ),
  failCase(
    "bytes/never-in-utf8_fail",
    "The byte ff is in no UTF-8 text; a mending decoder would put a mark in its place.",
    check,
    "INPUT_ENCODING",
    bytes(0xff)
  ),
  failCase(
    "bytes/above-unicode_fail",
    "The bytes f4 90 80 80 name a character above U+10FFFF.",
    check,
    "INPUT_ENCODING",
    bytes(0xf4, 0x90, 0x80, 0x80)
  ),
  failCase(
    "bytes/half-character_fail",
    "The bytes e2 82 are the beginning of a character that does not follow.",
    check,
    "INPUT_ENCODING",
    bytes(0xe2, 0x82)
  ),
  failCase(
    "bytes/lone-surrogate_fail",
    "An escape makes half of a surrogate pair, which has no bytes in UTF-8.",
    check,
    "INPUT_ENCODING",
    text((file) => file.replace("Countersign Test", "Countersign \\ud800"))
  ),
  failCase(
    "bytes/lone-surrogate-in-name_fail",
    "A member's name is half of a surrogate pair.",
    check,
    "INPUT_ENCODING",
    text((file) => file.replace('"trust":{', '"trust":{"\\udc00":1,'))
  ),
  failCase(
    "bytes/lone-surrogate-then-unknown-escape_fail",
    "Half of a surrogate pair is found at the end of its text; this one does not get there.",
    check,
    "INPUT_NOT_JSON",
    text((file) => file.replace("Countersign Test", "Countersign \\ud800 \\x"))
  ),
  failCase(
    "bytes/escaped-nul_fail",
    "U+0000 in a text ends it for programs that were written in C.",
    check,
    "INPUT_ENCODING",
    text((file) => file.replace("Countersign Test", "Countersign\\u0000 Test"))
  )
]

const padded = (bytes: number): CaseInputs => ({
  artifact: recordAlone,
  status: ({ status }) => jcs({ status }).padEnd(bytes)
})

const sizes: ReadonlyArray<Case> = [
  okCase("bytes/status-at-limit_ok", "A file with a status may have 65,536 bytes.", padded(65_536)),
  failCase(
    "bytes/status-too-long_fail",
    "The file with the status has one byte more than 65,536, and says nothing of the present.",
    "status-signature",
    "LIMIT_SIZE",
    padded(65_537)
  )
]

const line = (change: (jws: string) => string): CaseInputs => ({
  artifact: (sample: Sample) => change(recordAlone(sample))
})

const lines: ReadonlyArray<Case> = [
  okCase(
    "bytes/jws_ok",
    "The JWS of a record is an artifact by itself.",
    line((jws) => jws)
  ),
  okCase(
    "bytes/jws-line-end_ok",
    "One line end after a JWS is what an editor leaves.",
    line((jws) => `${jws}\n`)
  ),
  okCase(
    "bytes/jws-line-end-of-windows_ok",
    "One line end after a JWS may have two characters.",
    line((jws) => `${jws}\r\n`)
  ),
  failCase(
    "bytes/jws-two-line-ends_fail",
    "With a second line end it is no JWS any more, and no JSON either.",
    check,
    "INPUT_NOT_JSON",
    line((jws) => `${jws}\n\n`)
  ),
  failCase(
    "bytes/jws-leading-blank_fail",
    "With a blank before it, it is no JWS any more, and no JSON either.",
    check,
    "INPUT_NOT_JSON",
    line((jws) => ` ${jws}`)
  ),
  failCase(
    "bytes/jws-byte-order-mark_fail",
    "A byte order mark before a JWS is refused as everywhere.",
    check,
    "INPUT_ENCODING",
    line((jws) => `\ufeff${jws}`)
  ),
  failCase(
    "bytes/word_fail",
    "A word is neither a JWS nor JSON.",
    check,
    "INPUT_NOT_JSON",
    line(() => "verified")
  )
]

export const bytesCases: ReadonlyArray<Case> = [documents, raw, encodings, sizes, lines].flat()
