/** A public specification: terms from which any agreement may start, in immutable versions. */
import { digestOf } from "../canonical/digest.ts"
import type { SpecificationContent } from "./input.ts"

export const specificationSchema = "service.specification/v1"

export type Content = typeof SpecificationContent.Type

/** The document with exactly the members that the digest covers. */
export type SpecificationDocument = Content & {
  readonly schema: typeof specificationSchema
  readonly version: number
}

export const documentOf = (content: Content, version: number): SpecificationDocument => ({
  schema: specificationSchema,
  ...content,
  version
})

/** SHA-256 over the canonical form of the document; a pin names it. */
export const digestOfDocument = (document: SpecificationDocument): string => digestOf(document)

/** Equal for equal content in different versions. */
export const digestOfContent = (content: Content): string => digestOf({ schema: specificationSchema, ...content })

/** The path of a version, relative to the site. */
export const pathOfVersion = (id: string, version: number): `/api/discover/${string}` =>
  `/api/discover/specifications/${id}/versions/${version}`
