/** Mutants of authorization: credentials, grants and memberships that end concurrently with a request. */
import type { Mutant } from "./mutant.ts"

export const authorityMutants: ReadonlyArray<Mutant> = [
  {
    name: "keep-renewed-credential-valid",
    says: "A renewal does not invalidate the earlier token.",
    file: "src/access/authorize.ts",
    text: "return authority?.grant.generation === credential.generation ? authority : undefined",
    becomes: "return authority",
    killedBy: ["one live credential per grant", "acknowledged revocation is effective"],
    scenarios: ["races/renewal-and-submission"]
  },
  {
    name: "no-grant-recheck-in-transaction",
    says: "A grant that is revoked after the request was authenticated is not checked again in the transaction.",
    file: "src/projects/agent-caller.ts",
    text: "requireLive: (now) => Effect.asVoid(requireLive(authority, now)),",
    becomes: "requireLive: () => Effect.void,",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/job-and-revocation"]
  },
  {
    name: "ignore-end-of-membership",
    says: "A person who was removed from an organization remains a member until the membership expires.",
    file: "src/people/membership.ts",
    text: "membership.endedAt === null && membership.validFrom",
    becomes: "membership.validFrom",
    killedBy: ["acknowledged revocation is effective"],
    scenarios: ["races/membership-end-and-submission"]
  },
  {
    name: "inclusive-grant-expiry",
    says: "A grant is still live at exactly `expiresAt`.",
    file: "src/access/authorize.ts",
    text: "grant.revokedAt === null && now < grant.expiresAt",
    becomes: "grant.revokedAt === null && now <= grant.expiresAt",
    killedBy: ["deadlines enforced at commit"],
    scenarios: ["races/deadline-and-grant-expiry"]
  },
  {
    name: "renewal-resets-creation-time",
    says: "A renewal resets the creation time of the grant.",
    file: "src/access/grants.ts",
    text: "yield* transaction.update(Grants, [grantId], { ...renewed, ...end })",
    becomes: "yield* transaction.update(Grants, [grantId], { ...renewed, ...end, createdAt: now })",
    killedBy: ["renewal preserves the grant"],
    scenarios: ["races/replay-after-renewal"]
  },
  {
    name: "no-generation-check",
    says: "Two renewals of the same generation both succeed.",
    file: "src/access/grants.ts",
    text: 'if (grant.generation !== expectedGeneration) return yield* refuse("GENERATION_STALE")',
    becomes: "",
    killedBy: ["no command on a stale head"],
    scenarios: ["races/two-renewals"]
  },
  {
    name: "stale-authority-head",
    says: "The second event of an authority chain is not stored as its head, so that the third one follows the first.",
    file: "src/access/authority.ts",
    text: "return { authorityHead: hash,",
    becomes: "return { authorityHead: end?.authorityHead ?? hash,",
    killedBy: ["every chain verifies"],
    scenarios: ["races/two-renewals"]
  },
  {
    name: "lock-project-before-authorization",
    says: "A project is locked before the agent is authorized for it.",
    file: "src/pipeline/pipeline.ts",
    text: "const context = authority.isInScope ? yield* checks.lockAndRead(",
    becomes: "const context = true ? yield* checks.lockAndRead(",
    killedBy: ["tenant isolation"],
    scenarios: ["races/transient-errors-of-agent-requests"]
  },
  {
    name: "lock-unauthorized-projects",
    says: "Creating a grant locks the named projects of other tenants before it is refused.",
    file: "src/access/grant.ts",
    text: "projectIds: yield* Effect.filter(projectIds, (id) => parties.isParty(reader, id, side)),",
    becomes: "projectIds,",
    killedBy: ["tenant isolation"],
    scenarios: ["races/agreement-created-once"]
  },
  {
    name: "lock-item-before-authorization",
    says: "A request for a task of another person locks it before it is refused with 404.",
    file: "src/participation/items.ts",
    text: "  yield* requireOwn(item, by)\n  return [",
    becomes: "  if (item === undefined) return yield* unknownItem\n  return [",
    killedBy: ["tenant isolation"],
    scenarios: ["races/assistant-end-and-note"]
  }
]
