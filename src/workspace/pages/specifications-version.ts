/** One version of a public specification, whole, and the form that carries it into a draft. */
import { Effect, Layer, Result, Schema } from "effect"
import { h } from "preact"
import type { ReadVersion } from "../../discovery/read.ts"
import { pathOfVersion } from "../../discovery/specification.ts"
import { form } from "../fields.ts"
import { decodeForm, readForm } from "../form.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../html.ts"
import { signInPath } from "../local-path.ts"
import { page, type Viewer } from "../page.ts"
import { pageRoute } from "../page-route.ts"
import { code, facts, linkTo, list, notice, paragraph, section, time } from "../parts.ts"
import { requireFormToken } from "../protection.ts"
import { pageResponse, seeOther } from "../response.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { findVisitor } from "../visitor.ts"
import { beginHandoff, fromSpecificationPath } from "./specifications-handoff.ts"
import { addressedVersion, specificationPath, specificationsPath, versionRoute } from "./specifications-path.ts"

const show = pageRoute(
  "GET",
  versionRoute,
  Effect.gen(function* () {
    const viewer = (yield* findVisitor)?.viewer
    return pageResponse(versionPage(viewer, yield* addressedVersion))
  })
)

/** For those who are signed in already, and for those who sign in next: what was chosen waits in a cookie meanwhile. */
const start = pageRoute(
  "POST",
  versionRoute,
  Effect.gen(function* () {
    const visitor = yield* findVisitor
    const sent = yield* readForm
    if (visitor !== undefined) yield* requireFormToken(visitor.person.sessionId, sent.formToken)
    if (Result.isFailure(yield* decodeForm(Schema.Struct({}), sent))) return yield* refuse("INVALID_REQUEST")
    const next = visitor === undefined ? signInPath(fromSpecificationPath) : fromSpecificationPath
    return yield* beginHandoff(seeOther(next), yield* addressedVersion)
  })
)

const versionPage = (viewer: Viewer | undefined, found: ReadVersion): string => {
  const { document, newestVersion } = found
  const { id, version, title } = document
  return page(
    { title, viewer, place: "specifications" },
    newestVersion === version
      ? null
      : notice(
          "warning",
          paragraph(
            "A newer version has been published: ",
            linkTo(specificationPath(id, newestVersion), `version ${newestVersion}`),
            ". This one stays as it is."
          )
        ),
    paragraph("Published for everybody, in the words of whoever wrote it. Nobody has agreed on it by that."),
    section("What it says", contentFacts(document)),
    section("Which version this is", identityFacts(found)),
    section(
      "Start from it",
      paragraph(
        "A draft takes over title, scope, criteria and the state at the start, and names exactly this version by its digest. Nothing is sent or agreed by that."
      ),
      viewer === undefined ? paragraph("You sign in next; your choice waits in this browser for a day.") : null,
      form({
        action: specificationPath(id, version),
        formToken: viewer?.formToken,
        submitLabel: "Start a draft from this"
      })
    ),
    paragraph(linkTo(specificationsPath, "Search public specifications"))
  )
}

const contentFacts = ({
  summary,
  scope,
  criteria,
  baselineStatement,
  references = []
}: ReadVersion["document"]): Element =>
  facts([
    ["Summary", untrustedLines(summary)],
    ["Scope", untrustedLines(scope)],
    ["Criteria", criteria.map(criterion)],
    ["State at the start", baselineStatement === undefined ? "not said" : untrustedLines(baselineStatement)],
    ["References", references.length === 0 ? "none" : list(references.map(untrustedLines))]
  ])

const criterion = ({ id, title, requirement }: ReadVersion["document"]["criteria"][number]): Content => [
  h("p", null, untrusted(id), ": ", untrusted(title)),
  untrustedLines(requirement)
]

export const identityFacts = ({ document: { id, version }, digest, publishedAt }: ReadVersion): Element =>
  facts([
    ["Id", code(id)],
    ["Version", String(version)],
    ["Published", time(publishedAt)],
    ["Digest", code(digest)],
    ["For programs", h("a", { href: pathOfVersion(id, version) }, "This version as JSON")]
  ])

export const specificationVersion = Layer.merge(show, start)
