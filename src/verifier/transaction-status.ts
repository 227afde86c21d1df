/** The status file of a closure: the statement on its result, and the status of its payment. */
import { transactionStatusFile } from "./closure-shapes.ts"
import { readDocument } from "./document.ts"
import { andThen, fail, type Finding, pass } from "./ledger.ts"
import { isObject, validate } from "./schema-kit.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** The compact JWS of each half. */
export interface TransactionStatus {
  readonly result: Finding<string>
  readonly commerce: Finding<string>
}

/** Parses the service's file transaction-status.json; a fault of the file is one of both halves. */
export const readTransactionStatus = (bytes: Finding<Uint8Array>): TransactionStatus => {
  const file = andThen(bytes, (bytes) =>
    andThen(readDocument(bytes, verifierLimits.portableBytesMax), (document) => {
      const isTransaction =
        document.form === "json" &&
        isObject(document.json) &&
        (Object.hasOwn(document.json, "result") || Object.hasOwn(document.json, "commerce"))
      return isTransaction ? validate(transactionStatusFile, document.json) : fail("STATUS_KIND", "", "OBJECT")
    })
  )
  return {
    result: andThen(file, ({ result }) => pass(result)),
    commerce: andThen(file, ({ commerce }) => pass(commerce))
  }
}
