/** The download of the signed package, where the person may have it, and how it is verified. */
import { h } from "preact"
import { mayExportPackage } from "../../records/person-package.ts"
import { packagePathOf } from "../../records/package-wire.ts"
import type { Content } from "../kit/html.ts"
import { paragraph } from "../kit/parts.ts"
import type { ProjectPageModel } from "./read-model.ts"

export const packageDownload = ({ project, projectId, side, personId }: ProjectPageModel): Content =>
  project.recordId === null || !mayExportPackage({ personId }, side, project.supplier.actorId)
    ? null
    : [
        paragraph(h("a", { href: packagePathOf(side, projectId) }, "Download the signed package")),
        paragraph(
          "The file contains the complete history of both parties. It can be verified offline: ",
          h("code", null, "verify-result"),
          " reads it unchanged, together with the keys file from ",
          h("code", null, "/.well-known/service-issuer-keys.json"),
          ", which the verifying person must obtain separately from the package."
        )
      ]
