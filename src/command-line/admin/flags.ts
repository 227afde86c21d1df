/** Flags that several commands of `admin` share. */
import { Option } from "effect"
import { Flag } from "effect/cli"
import { type Instant, instantForm, isInstant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"

export const id = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

export const name = Flag.String("name").pipe(Flag.withDescription("The name that people see"))
export const person = id("person", "The person's id")
export const organization = id("organization", "The organization's id")
export const project = id("project", "The project's id")

/** The flags of every list. */
export const page = {
  limit: Flag.Int("limit").pipe(
    Flag.withDescription(`Items a page, 1 to ${limits.administrationPageMost}`),
    Flag.withDefault(limits.administrationPage)
  ),
  after: Flag.String("after").pipe(Flag.withDescription("The cursor of an earlier page: its next"), Flag.optional)
}

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON document"), Flag.withDefault(false))

/** An instant; the description says where it counts. */
export const instant = (name: string, description: string): Flag.Flag<Option.Option<Instant>> =>
  Flag.String(name).pipe(
    Flag.filterMap(Option.liftPredicate(isInstant), () => instantForm),
    Flag.withDescription(`${description}, like 2027-11-21T00:00:00.000Z`),
    Flag.optional
  )

export const until = instant("until", "The instant at which it ends")
