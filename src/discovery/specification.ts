/** A public specification: terms that anybody may start an agreement from, in versions that never change. */
import { digestOf } from "../canonical/digest.ts"
import type { SpecificationContent } from "./input.ts"

export const specificationSchema = "service.specification/v1"

export type Content = typeof SpecificationContent.Type

/** What is hashed: exactly these members. */
export type SpecificationDocument = Content & {
  readonly schema: typeof specificationSchema
  readonly version: number
}

export const documentOf = (content: Content, version: number): SpecificationDocument => ({
  schema: specificationSchema,
  ...content,
  version
})

/** SHA-256 over the canonical form of exactly the document: what a pin names. */
export const digestOfDocument = (document: SpecificationDocument): string => digestOf(document)

/** Equal for two publications that say the same, whatever version they became. */
export const digestOfContent = (content: Content): string => digestOf({ schema: specificationSchema, ...content })

/** Under the address of the site. */
export const pathOfVersion = (id: string, version: number): `/api/discover/${string}` =>
  `/api/discover/specifications/${id}/versions/${version}`
