/** The older pages of a project's history, and the page of one signed event. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { h } from "preact"
import { parseSigned, signedBytes } from "../../canonical/jws.ts"
import { readSignedEvent } from "../../projects/signed-event.ts"
import type { SignedEvent } from "../../projects/event.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { subjectPage } from "../commands/subject.ts"
import { type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { bytes, facts, linkTo, paragraph, section, time } from "../kit/parts.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import type { HistoryPlace } from "./history-page.ts"
import { titleWithIdentity } from "./identity.ts"
import { eventPath, projectPath } from "./path.ts"
import { readProjectHistoryModel } from "./read-model.ts"
import { projects } from "./subject.ts"
import { historyTimeline } from "./timeline.ts"

const olderHistory = subjectPage(projects, "/history", function* (visitor, projectId) {
  const model = yield* readProjectHistoryModel(visitor, projectId, yield* requestedPlace)
  return page(
    { title: "History of the project", viewer: visitor.viewer, place: "projects" },
    titleWithIdentity(model.named),
    model.history.entries.length === 0 ? "Nothing earlier happened." : historyTimeline(model, model.history),
    backToProject(projectId)
  )
})

/** The newest page where the parameter is no place of a history. */
const requestedPlace = Effect.map(readQueryParameters, (query): HistoryPlace | undefined => {
  const [, sequence, revision] = /^(\d{1,9}),(\d{1,9})$/.exec(query("before") ?? "") ?? []
  return sequence === undefined ? undefined : { beforeSequence: Number(sequence), beforeRevision: Number(revision) }
})

const signedEvent = subjectPage(projects, "/events/:sequence", function* ({ person, viewer }, projectId) {
  const { event, eventCount } = yield* readSignedEvent(person, projectId, yield* requestedSequence)
  const { sequence, hash, jws, kind, occurredAt } = event
  const { previous, actor } = parseSigned<SignedEvent>(jws)
  const text = signedBytes(jws).toString("utf8")
  return page(
    { title: `Signed event ${sequence}`, viewer, place: "projects" },
    paragraph(
      "The service signed these bytes when it happened. They are never changed, and every later event names this one by its hash."
    ),
    facts([
      ["Kind", h("code", null, kind)],
      ["Happened", time(occurredAt)],
      ["Person", h("code", null, actor.id)],
      ...(actor.execution === null
        ? []
        : [
            ["Agent", h("code", null, actor.execution.agentId)] as const,
            ["Grant of the agent", h("code", null, actor.execution.grantId)] as const
          ]),
      ["Hash", h("code", null, hash)],
      ["Hash of the event before", h("code", null, previous)]
    ]),
    section(
      "The signed bytes",
      visible(text) === text
        ? `${signedBytes(jws).length.toLocaleString("en")} bytes, exactly as they were signed.`
        : "Invisible characters are shown by their numbers here; the signature below carries the exact bytes.",
      bytes("The signed bytes", text),
      "The hash is the SHA-256 of these bytes without the member issuedAt."
    ),
    section(
      "The signature",
      paragraph(
        "A JWS with Ed25519; its second segment is the signed bytes in base64url. The keys are published at ",
        h("code", null, "/.well-known/service-issuer-keys.json"),
        "."
      ),
      bytes("The signature", jws)
    ),
    neighbours(projectId, sequence, eventCount),
    backToProject(projectId)
  )
})

const requestedSequence = Effect.flatMap(HttpRouter.params, ({ sequence = "" }) =>
  /^[1-9]\d{0,8}$/.test(sequence) ? Effect.succeed(Number(sequence)) : refuse("NOT_FOUND")
)

const neighbours = (projectId: string, sequence: number, last: number): Content => [
  sequence > 1 ? paragraph(linkTo(eventPath(projectId, sequence - 1), `Signed event ${sequence - 1}`)) : null,
  sequence < last ? paragraph(linkTo(eventPath(projectId, sequence + 1), `Signed event ${sequence + 1}`)) : null
]

const backToProject = (projectId: string): Content => paragraph(linkTo(projectPath(projectId), "Go to the project"))

export const historyPages = Layer.merge(olderHistory, signedEvent)
