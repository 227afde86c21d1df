/** The pages of Result Orders, as people use them. */
import { Effect } from "effect"
import { formOn, formsOn, readPage } from "./page-forms.ts"
import type { SignedInPerson } from "./sessions.ts"

/** The page of an order, or the address of one of its forms. */
export const orderPage = (resultOrderId: string, path = "") =>
  `/workspace/orders/${resultOrderId}${path === "" ? "" : `/${path}`}`

export const accountPage = (organizationId: string) => `/workspace/organizations/${organizationId}/recipient-account`

export const orderFormOf = (by: SignedInPerson, resultOrderId: string, name: string) =>
  Effect.map(readPage(by, orderPage(resultOrderId)), (page) => formOn(page, orderPage(resultOrderId, name)))

/** The last segments of the forms with which a person decides on an order's page. */
export const formsOnOrder = (by: SignedInPerson, resultOrderId: string) =>
  Effect.map(readPage(by, orderPage(resultOrderId)), ({ text }) =>
    formsOn(text).flatMap(({ action }) =>
      action.startsWith(orderPage(resultOrderId)) && !action.endsWith("/refresh")
        ? [action.slice(orderPage(resultOrderId).length + 1)]
        : []
    )
  )

/** The links to other sites, with how much the other site learns. */
export const externalLinksOn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<a href="(https?:[^"]*)" rel="([^"]*)"/g)].map(([, href, rel]) => [
    href!.replaceAll("&amp;", "&"),
    rel!
  ])

/** The form token of a person's session, to forge a form of another. */
export const formTokenOf = (by: SignedInPerson) =>
  Effect.map(readPage(by, "/workspace/"), ({ text }) => formsOn(text)[0]!.hidden["formToken"]!)
