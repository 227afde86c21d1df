/** Every case of the corpus, by topic: bytes first, then signatures and times, then contents. */
import type { Case } from "./case.ts"
import { acceptanceCases } from "./acceptance-cases.ts"
import { agreementCases } from "./agreement-cases.ts"
import { authorityCases } from "./authority-cases.ts"
import { bytesCases } from "./bytes-cases.ts"
import { chainsCases } from "./chains-cases.ts"
import { closureBindingCases } from "./closure-binding-cases.ts"
import { closureCases } from "./closure-cases.ts"
import { closureV1Cases } from "./closure-v1-cases.ts"
import { closureOrderCases } from "./closure-order-cases.ts"
import { closurePartCases } from "./closure-part-cases.ts"
import { closureStatusCases } from "./closure-status-cases.ts"
import { commerceCases } from "./commerce-cases.ts"
import { commerceStatusAloneCases } from "./commerce-status-alone-cases.ts"
import { commerceStatusCases } from "./commerce-status-cases.ts"
import { eventCases } from "./event-cases.ts"
import { fileFormCases } from "./file-form-cases.ts"
import { formCases } from "./form-cases.ts"
import { gapCases } from "./gap-cases.ts"
import { headerCases } from "./header-cases.ts"
import { historyCases } from "./history-cases.ts"
import { issuanceCases } from "./issuance-cases.ts"
import { journalCases } from "./journal-cases.ts"
import { jwsCases } from "./jws-cases.ts"
import { keysCases } from "./keys-cases.ts"
import { labelCases } from "./label-cases.ts"
import { lineageBindingCases } from "./lineage-binding-cases.ts"
import { lineageCases } from "./lineage-cases.ts"
import { manifestCases } from "./manifest-cases.ts"
import { movesCases } from "./moves-cases.ts"
import { partiesCases } from "./parties-cases.ts"
import { passportCases } from "./passport-cases.ts"
import { payloadCases } from "./payload-cases.ts"
import { policyCases } from "./policy-cases.ts"
import { publicationCases } from "./publication-cases.ts"
import { recordCases } from "./record-cases.ts"
import { signatureCases } from "./signature-cases.ts"
import { statusAloneCases } from "./status-alone-cases.ts"
import { statusCases } from "./status-cases.ts"
import { strictnessCases } from "./strictness-cases.ts"
import { summaryCases } from "./summary-cases.ts"
import { textCases } from "./text-cases.ts"
import { timesCases } from "./times-cases.ts"
import { trustCases } from "./trust-cases.ts"
import { versionsCases } from "./versions-cases.ts"

export const cases: ReadonlyArray<Case> = [
  bytesCases,
  strictnessCases,
  headerCases,
  jwsCases,
  signatureCases,
  keysCases,
  trustCases,
  timesCases,
  payloadCases,
  formCases,
  fileFormCases,
  textCases,
  historyCases,
  gapCases,
  eventCases,
  movesCases,
  partiesCases,
  agreementCases,
  acceptanceCases,
  recordCases,
  issuanceCases,
  manifestCases,
  authorityCases,
  chainsCases,
  policyCases,
  statusCases,
  statusAloneCases,
  versionsCases,
  passportCases,
  summaryCases,
  publicationCases,
  commerceCases,
  journalCases,
  labelCases,
  commerceStatusCases,
  commerceStatusAloneCases,
  closureCases,
  closureV1Cases,
  closurePartCases,
  closureOrderCases,
  closureBindingCases,
  closureStatusCases,
  lineageCases,
  lineageBindingCases
].flat()
