/** Points an agent to the person it has to wait for. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { refusal, waitsForPerson, type Refused } from "../vocabulary/refusals.ts"

/** The page of the same project for people. */
export const humanUrlOf = (siteUrl: string, projectId: string): string => `${siteUrl}/workspace/projects/${projectId}`

/** Adds what the person has to do, and where, to a refusal that only a person can remove. */
export const pointToPerson = <A, R>(
  effect: Effect.Effect<A, Refused, R>,
  { projectId }: { readonly projectId: string }
): Effect.Effect<A, Refused, R | Installation> => pointToPage(effect, (siteUrl) => humanUrlOf(siteUrl, projectId))

/** The same for what has another page. */
export const pointToPage = <A, R>(
  effect: Effect.Effect<A, Refused, R>,
  urlOf: (siteUrl: string) => string
): Effect.Effect<A, Refused, R | Installation> =>
  Effect.catchTag(effect, "Refused", (refused) =>
    waitsForPerson(refused)
      ? Effect.flatMap(Installation, ({ siteUrl }) =>
          Effect.fail(
            refusal(refused.code, {
              requiredHumanAction: refused.code,
              ...refused.facts,
              humanUrl: urlOf(siteUrl)
            })
          )
        )
      : Effect.fail(refused)
  )
