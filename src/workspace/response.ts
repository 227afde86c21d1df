/** How pages leave: with headers that let nothing run, nobody frame them, and no cache keep them. */
import { HttpServerResponse } from "effect/http"
import { cookieChallenge } from "../http/errors.ts"
import { home, localPathOr } from "./local-path.ts"

/** A page as `page` has rendered it. */
export const pageResponse = (html: string, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: status === 401 ? { ...pageHeaders, "www-authenticate": cookieChallenge } : pageHeaders
  })

/** A file that pages refer to. */
export const assetResponse = (text: string, contentType: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType, headers: pageHeaders })

/** After a form was taken; a path that is not local leads home. */
export const seeOther = (path: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { ...pageHeaders, location: localPathOr(path, home) } })

/** To an address that this installation made itself: its own pages by their right name, or the provider of sign-ins. */
export const movedTo = (address: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { ...pageHeaders, location: address } })

/**
 * No script at all, and no form that leaves the site: browsers hold a form's redirects to `form-action` too, so the way
 * to a provider is a link. The referrer stays inside the site, since without one a form's `Origin` would be `null`.
 */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store"
} as const
