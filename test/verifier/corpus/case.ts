/**
 * A case of the verifier's corpus: the input files, and the outcome that every verifier must report. Each is one change away from a case that verifies, and has valid signatures if the attacker holds a signing key.
 */

export interface Case {
  /** Kebab-case with its topic first; ends in `_ok` where no check fails and in `_fail` where one does. */
  readonly name: string
  /** One sentence: the change, and the reason for this outcome. */
  readonly why: string
  readonly checkedAt: string
  readonly artifact: Uint8Array
  readonly trust: Uint8Array
  /** Passed as `--status`. */
  readonly status?: Uint8Array
  /** Passed as `--authority`. */
  readonly policy?: Uint8Array
  readonly expected: Expected
}

export interface Expected {
  readonly verdict: "VERIFIED_WITH_LIMITATIONS" | "REFUSED" | "UNREADABLE"
  /** The first failed check of the report, by id, and its code; null where none fails. */
  readonly first: { readonly check: string; readonly code: string } | null
}

export const exits = { VERIFIED_WITH_LIMITATIONS: 0, REFUSED: 1, UNREADABLE: 2 } as const
