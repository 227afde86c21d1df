/** Adds the page of the awaited person to a refusal. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { refusal, needsPerson, type Refusal } from "../vocabulary/refusals.ts"

/** The page of the same project for people. */
export const humanUrlOf = (siteUrl: string, projectId: string): string => `${siteUrl}/workspace/projects/${projectId}`

/** Adds the required human action and the project's page to a refusal that waits for a person. */
export const withHumanUrl = <A, E extends Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  { projectId }: { readonly projectId: string }
): Effect.Effect<A, E, R | Installation> => withPageUrl(effect, (siteUrl) => humanUrlOf(siteUrl, projectId))

/** The same with another page. */
export const withPageUrl = <A, E extends Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  urlOf: (siteUrl: string) => string
): Effect.Effect<A, E, R | Installation> =>
  Effect.catch(effect, (refused) =>
    needsPerson(refused)
      ? Effect.flatMap(Installation, ({ siteUrl }) => {
          const facts = { requiredHumanAction: refused.code, ...refused.facts, humanUrl: urlOf(siteUrl) }
          return Effect.fail(refusal(refused.code, facts) as E)
        })
      : Effect.fail(refused)
  )
