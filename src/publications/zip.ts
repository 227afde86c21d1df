/** The ZIP file of a passport: two stored entries with a fixed date, so that equal passports have equal bytes. */
import { strToU8, zipSync } from "fflate"
import { passportReadme } from "./readme.ts"

/** Takes the canonical text of the passport, which becomes `passport.json` unchanged. */
export const passportZip = (passport: string): Uint8Array =>
  zipSync(
    { "passport.json": strToU8(passport), "README.txt": strToU8(passportReadme) },
    // Local time without an offset: an entry's date is written in local time, and is the same in every zone.
    { level: 0, mtime: "1980-01-01T12:00:00" }
  )
