/** One document for each error that the strict reader reports on bytes. */
import type { JsonErrorReason } from "../../src/canonical/json-error-messages.ts"

export const invalidDocuments: {
  readonly [F in Exclude<JsonErrorReason, "NO_BYTES" | "TOO_LONG">]: string | Uint8Array
} = {
  END_EXPECTED: "{}{}",
  NOT_UTF8: Uint8Array.of(0x22, 0xff, 0x22),
  BYTE_ORDER_MARK: "\ufeff{}",
  DOCUMENT_ENDS: '{"a":',
  VALUE_EXPECTED: '{"a":e1}',
  NO_INTEGER: '{"a":1.0}',
  TOO_DEEP: "[".repeat(33),
  NAME_EXPECTED: "{a:1}",
  MEMBER_TWICE: '{"a":1,"a":1}',
  COLON_EXPECTED: '{"a",1}',
  TOO_MANY: `[${"0,".repeat(100_000)}0]`,
  COMMA_EXPECTED: "[1;2]",
  CONTROL_CHARACTER: '{"a":"\t"}',
  TEXT_ENDLESS: '{"a":"b}',
  HALF_PAIR: '{"a":"\\ud800"}',
  HEX_EXPECTED: '{"a":"\\u12g4"}',
  NUL: '{"a":"\\u0000"}',
  NO_ESCAPE: '{"a":"\\x41"}'
}
