/** The answer that is a passport: a file. */
import type { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { exportPassport } from "./public-operations.ts"
import { passportMediaTypes } from "./public-wire.ts"

/** The file is as current as its statements, so that no cache may keep it. */
export const passportFile = ({ format, file }: Effect.Success<ReturnType<typeof exportPassport>>) => {
  const options = {
    contentType: passportMediaTypes[format],
    headers: { "content-disposition": `attachment; filename="passport.${format}"`, "cache-control": "no-store" }
  }
  return typeof file === "string"
    ? HttpServerResponse.text(file, options)
    : HttpServerResponse.uint8Array(file, options)
}
