/** The log of operators' acts. Rows are append-only. */
import type { Json } from "../canonical/json.ts"
import { instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { ActOutcome } from "./act.ts"

export const AdministrationActs = table("administration_acts", {
  columns: {
    actId: text(),
    /** Counts the rows of one act from 1. */
    step: integer,
    at: instant,
    /** The operator's name as given, or the account. */
    who: text(),
    /** The account of the operating system and its host. */
    account: text(),
    why: nullable(text()),
    command: text(),
    /** As given, without secrets and e-mail addresses. */
    arguments: json<{ readonly [name: string]: Json }>(),
    outcome: text<ActOutcome>(),
    /** The ids of the rows that this transaction wrote. */
    changed: json<ReadonlyArray<string>>()
  },
  key: ["actId", "step"],
  guard: "append-only",
  ordered: {
    byTime: ["at", "actId", "step"],
    byWho: ["who", "at", "actId", "step"],
    byCommand: ["command", "at", "actId", "step"],
    byWhoAndCommand: ["who", "command", "at", "actId", "step"]
  }
})

export type ActRow = RowOf<typeof AdministrationActs>
