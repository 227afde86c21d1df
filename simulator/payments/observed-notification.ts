/** What is checked of an observed notification, with an independent HMAC. */
import { createHmac } from "node:crypto"
import { notificationPath, notificationSecret, signatureHeader, timestampHeader } from "./notification.ts"
import { isObject, type Json } from "../vocabulary/json.ts"

/** A request as it was observed. */
interface ObservedRequest {
  readonly path?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

export const isNotification = ({ path }: ObservedRequest): boolean => path === notificationPath

export const signedAtOf = ({ headers }: ObservedRequest): string => headerOf(headers, timestampHeader)

/** True if the provider signed these bytes at the time that the notification names. */
export const isSignedByProvider = (request: ObservedRequest): boolean => {
  const text = `${signedAtOf(request)}.${String(request.body)}`
  return (
    headerOf(request.headers, signatureHeader) ===
    createHmac("sha256", notificationSecret).update(text, "utf8").digest("hex")
  )
}

const headerOf = (headers: unknown, name: string): string =>
  isObject(headers as Json) ? String((headers as { readonly [name: string]: unknown })[name] ?? "") : ""
