/** A strict parser for `multipart/form-data`, in which browsers send forms with files. */
import { MultipartParser } from "effect/http"
import { limits } from "../../vocabulary/limits.ts"
import { fieldsOf, fieldText, type Fields } from "./urlencoded.ts"

/**
 * The fields by name, each file as its text: a file that is not UTF-8 is for the form to refuse at its field. Undefined
 * for input that a browser would not produce.
 */
export const readMultipart = (bytes: Uint8Array, contentType: string): Fields | undefined => {
  const pairs: Array<readonly [name: string, value: string]> = []
  let isBroken = false
  const take = (name: string, value: string | undefined) => {
    if (name === "" || value === undefined) isBroken = true
    else pairs.push([name, value])
  }
  const parser = MultipartParser.make({
    headers: { "content-type": contentType },
    maxParts: limits.formFields,
    maxFieldSize: limits.signedInFormBytes,
    isFile: ({ filename }) => filename !== undefined,
    onField: ({ name }, value) => take(name, fieldText(value)),
    onFile: ({ name }) => {
      const chunks: Array<Uint8Array> = []
      return (chunk) =>
        chunk === null ? take(name, new TextDecoder().decode(Buffer.concat(chunks))) : chunks.push(chunk)
    },
    onError: () => {
      isBroken = true
    },
    onDone: () => {}
  })
  parser.write(bytes)
  parser.end()
  return isBroken ? undefined : fieldsOf(pairs)
}
