/** The columns and indexes that the pages of lists read by: texts of projects, and places in lists of agents. */
import type { Step } from "./migration.ts"

// Postgres folds other letters than ASCII only with a locale, which an installation need not have.
const capitals =
  "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŹŻŽΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯς"
const smallLetters =
  "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяσ"

const invisible = "\u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufe0f\ufeff"

/** A string member of the canonical text of an agreement, as the search has it: escaped characters are blanks. */
const member = (pattern: string): string =>
  `trim(replace(translate(lower(normalize(regexp_replace(substring(agreement from '${pattern}'),` +
  ` '\\\\(u[0-9a-f]{4}|.)', ' ', 'g'), NFKC) collate "C"), '${capitals}"\\${invisible}', '${smallLetters}  '), 'ß', 'ss'))`

const string = `"((?:[^"\\\\]|\\\\.)*)"`

// The terms are the last object of an agreement, and the title is their last member; criteria have titles, too.
const searchText =
  `${member(`"title":${string}\\},"version":[0-9]+\\}$`)} || chr(10) ||` +
  ` ${member(`"buyerName":${string}`)} || chr(10) || ${member(`"supplierName":${string}`)}`

export const pagedLists: ReadonlyArray<Step> = [
  { kind: "transaction", statements: [`alter table projects add column search_text text collate "C"`] },
  {
    kind: "batches",
    change:
      `update projects set search_text = coalesce(${searchText}, '') where project_id in` +
      " (select project_id from projects where search_text is null limit 500)"
  },
  { kind: "index", name: "grants_by_creation", on: "grants (person_id, created_at, grant_id)" }
]
