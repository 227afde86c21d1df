/**
 * The classes of requests, in the order in which a process refuses them when too many are in flight: lists, reads,
 * commands. A stop control is never refused for load: it waits for a connection ahead of all others.
 */
import { Context } from "effect"

export type RequestClass = "list" | "read" | "command" | "stop"

/** The class of the current request. */
export const ClassOfRequest = Context.Reference<RequestClass>("countersign/http/ClassOfRequest", {
  defaultValue: () => "command"
})

/** The last segments of the paths that pause, revoke, withdraw or remove something, in the API and in pages. */
const stops = new Set([
  "pause",
  "revoke",
  "withdraw",
  "withdraw-confirmation",
  "remove",
  "end",
  "deny",
  "end-others",
  "sign-out"
])

/** The last segments of the paths whose POST only reads. */
const reads = new Set(["passport", "result-package", "standard-record", "status"])

/** The last segments of the paths whose answer is a page of a list. */
const lists = new Set([
  "contacts",
  "credits",
  "deliveries",
  "discover",
  "drafts",
  "grants",
  "invitations",
  "items",
  "jobs",
  "members",
  "project-webhooks",
  "projects",
  "proposals",
  "publications",
  "record-shares",
  "result-orders",
  "shared-records",
  "webhooks"
])

/**
 * The class of a request; `target` is its path, perhaps with a query. A page counts as a command, also a list: through it a
 * person reaches the stop controls.
 */
export const classOf = (method: string, target: string): RequestClass => {
  const last = lastSegment(target)
  if (!isReading(method)) return stops.has(last) ? "stop" : reads.has(last) ? "read" : "command"
  if (target.startsWith("/workspace")) return "command"
  return lists.has(last) ? "list" : "read"
}

const isReading = (method: string): boolean => method === "GET" || method === "HEAD"

const lastSegment = (target: string): string => {
  const [path = ""] = target.split("?")
  return path.slice(path.lastIndexOf("/") + 1)
}
