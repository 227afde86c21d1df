/** The answer that is a JSON file. */
import { HttpServerResponse } from "effect/http"

/** What it states may have changed by the next request, so that no cache may keep the file. */
export const jsonFile = (name: string, text: string) =>
  HttpServerResponse.text(text, {
    contentType: "application/json",
    headers: {
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store"
    }
  })
