/** The refusals of issued records: their shares, publications and portable exports. Part of the table of refusals. */
import { limits } from "./limits.ts"
import type { RefusalRule } from "./refusal-rule.ts"

export const recordRefusals = {
  RESULT_NOT_ISSUED: {
    status: 409,
    section: "2.11",
    detail: "No result record has been issued for this project; read the project again.",
    nextAction: "REREAD_PROJECT"
  },
  RECIPIENT_NOT_NAMED: {
    status: 409,
    section: "2.11",
    detail: "The agreement does not name this sharing recipient; correct it.",
    nextAction: "CORRECT_REQUEST"
  },
  SHARE_LIMIT: {
    status: 409,
    section: "8",
    detail: `Limit reached: ${limits.sharesPerSide} shares by one side of a project, or ${limits.openingsPerShare} openings of one share; ask the owner of the record.`,
    nextAction: "ASK_OWNER"
  },
  PUBLICATION_DIGEST_MISMATCH: {
    status: 409,
    section: "2.12",
    detail: "The publicationDigest of the request is not that of this publication; read the publication again.",
    nextAction: "REREAD_PUBLICATION"
  },
  PUBLICATION_LIMIT: {
    status: 409,
    section: "8",
    detail: `Limit reached: ${limits.publicationsPerResult} publications of one result, including withdrawn ones; share the record with named persons instead.`,
    nextAction: "SHARE_RECORD"
  },
  EXPORT_FORMAT_UNKNOWN: {
    status: 400,
    section: "7",
    detail: "The format of an export is json or zip; correct the query member format.",
    nextAction: "CORRECT_REQUEST"
  },
  PASSPORT_SELECTION_INVALID: {
    status: 400,
    section: "7",
    detail: `A passport takes ${limits.passportSelectionMin} to ${limits.passportSelectionMax} publications, each of them once; correct the member selections.`,
    nextAction: "CORRECT_REQUEST"
  },
  PASSPORT_SUBJECT_UNKNOWN: {
    status: 404,
    section: "7",
    detail: "No supplier with publications has this id; correct subjectId in the path, or ask the supplier for its id."
  },
  PASSPORT_SELECTION_UNAVAILABLE: {
    status: 409,
    section: "7",
    detail:
      "Some of the selected publications are not currently public under this id and digest; read the list of publications again.",
    nextAction: "REREAD_PUBLICATIONS"
  },
  EXPORT_TOO_LARGE: {
    status: 413,
    section: "7",
    detail: `Limit reached: ${limits.canonicalExportBytes} bytes in the canonical form of one export; name fewer publications in the member selections.`,
    nextAction: "CORRECT_REQUEST"
  }
} as const satisfies { readonly [code: string]: RefusalRule }
