/** Mutants of authorization: credentials, grants and memberships that end concurrently with a request. */
import type { Mutant } from "./mutant.ts"

export const mutantsOfAuthority: ReadonlyArray<Mutant> = [
  {
    name: "leave-the-old-credential",
    says: "A renewal does not invalidate the earlier token.",
    file: "src/access/authorize.ts",
    text: "return authority?.grant.generation === credential.generation ? authority : undefined",
    becomes: "return authority",
    noticedBy: ["one live token a grant", "answered means over"],
    scenarios: ["122-renewal-race"]
  },
  {
    name: "ask-for-the-grant-at-the-door-alone",
    says: "A grant that is revoked after the request was authenticated is not checked again in the transaction.",
    file: "src/projects/by-agent.ts",
    text: "requireLive: (now) => Effect.asVoid(requireLive(authority, now)),",
    becomes: "requireLive: () => Effect.void,",
    noticedBy: ["answered means over"],
    scenarios: ["143-a-saved-job-beside-a-revocation"]
  },
  {
    name: "forget-that-a-membership-ended",
    says: "A person who was removed from an organization remains a member until the membership expires.",
    file: "src/people/membership.ts",
    text: "membership.endedAt === null && membership.validFrom",
    becomes: "membership.validFrom",
    noticedBy: ["answered means over"],
    scenarios: ["140-a-membership-ends-beside-a-delivery"]
  },
  {
    name: "one-millisecond-more",
    says: "A grant is still live at exactly `expiresAt`.",
    file: "src/access/authorize.ts",
    text: "grant.revokedAt === null && now < grant.expiresAt",
    becomes: "grant.revokedAt === null && now <= grant.expiresAt",
    noticedBy: ["dates are kept"],
    scenarios: ["129-deadline-tie"]
  },
  {
    name: "renew-as-if-new",
    says: "A renewal resets the creation time of the grant.",
    file: "src/access/grants.ts",
    text: "yield* transaction.update(Grants, [grantId], { ...renewed, ...end })",
    becomes: "yield* transaction.update(Grants, [grantId], { ...renewed, ...end, createdAt: now })",
    noticedBy: ["renewal keeps the rest"],
    scenarios: ["155-asked-again-after-a-renewal"]
  },
  {
    name: "renew-what-was-renewed",
    says: "Two renewals of the same generation both succeed.",
    file: "src/access/grants.ts",
    text: 'if (grant.generation !== expectedGeneration) return yield* refuse("GENERATION_STALE")',
    becomes: "",
    noticedBy: ["no command on a stale head"],
    scenarios: ["123-two-renewals"]
  },
  {
    name: "lose-the-end-of-an-authority-chain",
    says: "The second event of an authority chain is not stored as its head, so that the third one follows the first.",
    file: "src/access/authority.ts",
    text: "return { authorityHead: hash,",
    becomes: "return { authorityHead: end?.authorityHead ?? hash,",
    noticedBy: ["every chain verifies"],
    scenarios: ["123-two-renewals"]
  },
  {
    name: "lock-before-asking",
    says: "A project is locked before the agent is authorized for it.",
    file: "src/projects/admission.ts",
    text: "const target = reaches ? yield* lockTarget(",
    becomes: "const target = true ? yield* lockTarget(",
    noticedBy: ["others change nothing"],
    scenarios: ["168-a-store-that-fails-an-agent"]
  },
  {
    name: "lock-what-a-grant-names",
    says: "Creating a grant locks the named projects of other tenants before it is refused.",
    file: "src/access/grant.ts",
    text: "projectIds: yield* Effect.filter(projectIds, (id) => parties.isParty(reader, id, side)),",
    becomes: "projectIds,",
    noticedBy: ["others change nothing"],
    scenarios: ["153-made-once"]
  },
  {
    name: "lock-a-task-before-asking",
    says: "A request for a task of another person locks it before it is refused with 404.",
    file: "src/participation/items.ts",
    text: "  yield* requireOwn(item, by)\n  return [",
    becomes: "  if (item === undefined) return yield* unknownItem\n  return [",
    noticedBy: ["others change nothing"],
    scenarios: ["197-a-note-beside-the-end-of-its-program"]
  }
]
