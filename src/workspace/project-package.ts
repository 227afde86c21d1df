/** The signed package of an issued result, where the person may take it, and how anybody checks it. */
import { h } from "preact"
import { takesCopies } from "../records/package-for-people.ts"
import { packagePathOf } from "../records/package-wire.ts"
import type { Content } from "./html.ts"
import { paragraph } from "./parts.ts"
import type { SeenProject } from "./project-seen.ts"

export const packageDownload = ({ project, projectId, side, personId }: SeenProject): Content =>
  project.recordId === null || !takesCopies({ personId }, side, project.supplier.actorId)
    ? null
    : [
        paragraph(h("a", { href: packagePathOf(side, projectId) }, "Download the signed package")),
        paragraph(
          "The file holds everything that both sides did here. Anybody can check it without a network: ",
          h("code", null, "verify-result"),
          " takes it as it is, with the keys file from ",
          h("code", null, "/.well-known/service-issuer-keys.json"),
          ", which has to reach them by a way of its own and never together with the package."
        )
      ]
