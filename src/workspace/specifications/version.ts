/** The page of one specification version, with the form that starts a draft from it. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import type { StoredVersion } from "../../discovery/read.ts"
import { pathOfVersion } from "../../discovery/specification.ts"
import { form } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { signInPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { code, facts, linkTo, list, notice, paragraph, section, time } from "../kit/parts.ts"
import { seeOther } from "../kit/response.ts"
import { decodeNoFields } from "../kit/form.ts"
import { publicForm, publicPage } from "../kit/signed-in.ts"
import { beginHandoff, fromSpecificationPath } from "./handoff.ts"
import { readRequestedVersion, specificationPath, specificationsPath, versionRoute } from "./path.ts"

const show = publicPage(versionRoute, (visitor) =>
  Effect.map(readRequestedVersion, (found) => versionPage(visitor?.viewer, found))
)

/** With or without a session: the selection is kept in a cookie while the person signs in. */
const start = publicForm(versionRoute, function* (visitor, sent) {
  yield* decodeNoFields(sent)
  const next = visitor === undefined ? signInPath(fromSpecificationPath) : fromSpecificationPath
  return yield* beginHandoff(seeOther(next), yield* readRequestedVersion)
})

const versionPage = (viewer: Viewer | undefined, found: StoredVersion): string => {
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
    "Published by its author for everyone. Publication does not mean that it is agreed on.",
    section("Content", contentFacts(document)),
    section("This version", identityFacts(found)),
    section(
      "Start from it",
      "A draft copies title, scope, criteria and the state at the start, and refers to exactly this version by its digest. Nothing is sent or agreed on.",
      viewer === undefined ? "You sign in next; this browser stores your selection for 24 hours." : null,
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
}: StoredVersion["document"]): Element =>
  facts([
    ["Summary", untrustedLines(summary)],
    ["Scope", untrustedLines(scope)],
    ["Criteria", criteria.map(criterion)],
    ["State at the start", baselineStatement === undefined ? "not specified" : untrustedLines(baselineStatement)],
    ["References", references.length === 0 ? "none" : list(references.map(untrustedLines))]
  ])

const criterion = ({ id, title, requirement }: StoredVersion["document"]["criteria"][number]): Content => [
  h("p", null, untrusted(id), ": ", untrusted(title)),
  untrustedLines(requirement)
]

export const identityFacts = ({ document: { id, version }, digest, publishedAt }: StoredVersion): Element =>
  facts([
    ["Id", code(id)],
    ["Version", String(version)],
    ["Published", time(publishedAt)],
    ["Digest", code(digest)],
    ["For programs", h("a", { href: pathOfVersion(id, version) }, "This version as JSON")]
  ])

export const specificationVersion = Layer.merge(show, start)
