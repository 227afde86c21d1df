/** A page opened from a file in a browser window without a network. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { visit, type VisitOptions } from "./browser.ts"

/** `asked` lists the requests that the page attempted. */
export const openOffline = Effect.fnUntraced(function* (html: string, options: VisitOptions = {}) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-page-"))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const file = path.join(folder, "report.html")
  fs.writeFileSync(file, html)
  const visited = yield* visit(options)
  const asked: Array<string> = []
  const url = pathToFileURL(file).href
  yield* Effect.promise(async () => {
    await visited.context.setOffline(true)
    visited.page.on("request", (request) => void (request.url() !== url && asked.push(request.url())))
    await visited.page.goto(url)
  })
  return { ...visited, asked, url }
})
