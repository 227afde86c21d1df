/** The reasons for blocked acts, as people read them. */
import { refusals, type RefusalCode } from "../../vocabulary/refusal-rules.ts"
import type { BlockedAct } from "./subject.ts"

/** Texts for people, where the refusal's own detail is written for clients. */
export type BlockedTexts = { readonly [C in RefusalCode]?: string }

export const blockedReason = (texts: BlockedTexts, code: string): string =>
  isRefusalCode(code) ? (texts[code] ?? refusals[code].detail) : code

/** The same with the required next step, where only the state blocks the act. */
export const awaitedStepText = (
  reasonOf: (code: string) => string,
  { code, reason }: Pick<BlockedAct, "code" | "reason">
): string => (code === "STATE_CONFLICT" ? `${reasonOf(code)} ${reason}` : reasonOf(code))

const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(refusals, text)
