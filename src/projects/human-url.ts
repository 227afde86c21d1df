/** Adds the page of the awaited person to a refusal. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { refusal, needsPerson, type Refusal } from "../vocabulary/refusals.ts"

/** The page of the same project for people. */
export const humanUrlOf = (siteUrl: string, projectId: string): string => `${siteUrl}/workspace/projects/${projectId}`

/** Adds the required human action and the project's page to a refusal that waits for a person. */
export const withHumanUrl = <A, Code extends RefusalCode, R>(
  effect: Effect.Effect<A, Refusal<Code>, R>,
  { projectId }: { readonly projectId: string }
): Effect.Effect<A, Refusal<Code>, R | Installation> => withPageUrl(effect, (siteUrl) => humanUrlOf(siteUrl, projectId))

/** The same with another page. */
export const withPageUrl = <A, Code extends RefusalCode, R>(
  effect: Effect.Effect<A, Refusal<Code>, R>,
  urlOf: (siteUrl: string) => string
): Effect.Effect<A, Refusal<Code>, R | Installation> =>
  Effect.catchTag(effect, "Refusal", (refused) =>
    needsPerson(refused)
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
