/** Portable exports: files of bounded size in their canonical form, so that equal content has equal bytes. */
import { Context, Effect } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type RefusalFacts } from "../vocabulary/refusals.ts"

/** The maximum number of canonical bytes of one export. */
export const ExportBytes = Context.Reference<number>("countersign/records/ExportBytes", {
  defaultValue: () => limits.canonicalExportBytes
})

/** The canonical text of a file, refused over the bound. */
export const exportText = (file: object) => requireExportSize(canonicalText(file))

export const requireExportSize = Effect.fnUntraced(function* (text: string, facts?: RefusalFacts) {
  return Buffer.byteLength(text) <= (yield* ExportBytes) ? text : yield* refuse("EXPORT_TOO_LARGE", facts)
})
