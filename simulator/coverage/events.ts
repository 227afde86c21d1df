/** The kinds of signed events in a trace, in views or in exports, and of received webhooks. */
import { AuthorityEvent } from "../../src/access/authority.ts"
import { SignedEvent } from "../../src/projects/event.ts"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import { projectViewsIn } from "./project-moves.ts"

const nameOf = (of: "project" | "authority" | "callback", kind: string): string => `${of} ${kind}`

/** All kinds. */
export const eventNames: ReadonlyArray<string> = [
  ...SignedEvent.members.map(({ fields }) => nameOf("project", fields.kind.literal)),
  ...AuthorityEvent.members.map(({ fields }) => nameOf("authority", fields.kind.literal)),
  ...eventTypes.map((type) => nameOf("callback", type))
]

export const eventsIn = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<string> => [
  ...new Set(
    lines.flatMap((line) => {
      if (line["kind"] === "received") return [nameOf("callback", String(line["type"]))]
      if (line["kind"] !== "response" && line["kind"] !== "answer") return []
      const body = line["body"]
      const ofProjects = projectViewsIn(body).flatMap(({ events }) => events.map(({ kind }) => nameOf("project", kind)))
      return [...ofProjects, ...authorityEventsIn(body)]
    })
  )
]

/** Authority events occur only in exports, as signed envelopes nested in another one. */
const authorityEventsIn = (value: Json | undefined): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((item: Json) => authorityEventsIn(item))
  if (typeof value === "string") return envelope.test(value) ? authorityEventsIn(payloadOf(value)) : []
  if (!isObject(value)) return []
  if (value["schema"] === "service.authority-event/v1") return [nameOf("authority", String(value["kind"]))]
  return Object.values(value).flatMap((member: Json) => authorityEventsIn(member))
}

const payloadOf = (jws: string): Json =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString()) as Json

const envelope = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/
