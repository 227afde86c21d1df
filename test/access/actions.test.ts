import { assert, describe, it } from "@effect/vitest"
import { actions, authorityFor, isForRole, roles, type Action, type Role } from "../../src/access/actions.ts"
import { isLive, mayAct, type Authority } from "../../src/access/authorize.ts"
import { authorities, type Authority as MembershipAuthority } from "../../src/people/membership.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"

type Needs = { readonly [R in Role]: MembershipAuthority | null }

const buyer = (needs: MembershipAuthority): Needs => ({ BUYER: needs, SUPPLIER: null })
const supplier = (needs: MembershipAuthority): Needs => ({ BUYER: null, SUPPLIER: needs })

/** The membership authority that each action needs on each side (decisions.md), as a table. */
const needs: { readonly [A in Action]: Needs } = {
  CREATE_DRAFT: { BUYER: "RESULT_DRAFT_CREATE", SUPPLIER: "RESULT_DRAFT_CREATE" },
  CREATE_PROJECT: buyer("AGREEMENT_CREATE"),
  CREATE_PROPOSAL: supplier("PROPOSAL_MANAGE"),
  UPDATE_PROPOSAL: supplier("PROPOSAL_MANAGE"),
  PUBLISH_PROPOSAL: supplier("PROPOSAL_MANAGE"),
  RESPOND_PROPOSAL: buyer("PROPOSAL_MANAGE"),
  WITHDRAW_PROPOSAL: supplier("PROPOSAL_MANAGE"),
  RESPOND_TERMS: supplier("TERMS_RESPOND"),
  SUBMIT_MATERIALS: supplier("MATERIALS_SUBMIT"),
  REVIEW_DELIVERY: buyer("DELIVERY_REVIEW"),
  CONFIRM_COMPLETION: buyer("COMPLETION_CONFIRM"),
  ISSUE_RESULT_RECORD: buyer("RECORD_ISSUE"),
  REQUEST_DATE_CHANGE: { BUYER: "DELIVERY_REVIEW", SUPPLIER: "MATERIALS_SUBMIT" },
  RAISE_CONCERN: { BUYER: "DELIVERY_REVIEW", SUPPLIER: "MATERIALS_SUBMIT" }
}

const start = "2026-01-01T00:00:00.000Z" as Instant
const end = "2026-02-01T00:00:00.000Z" as Instant
const monday = "2026-01-05T00:00:00.000Z" as Instant

interface Options {
  readonly role?: Role
  readonly held?: ReadonlyArray<Action>
  readonly parent?: ReadonlyArray<MembershipAuthority>
  readonly revokedAt?: Instant
  readonly endedAt?: Instant
  readonly validFrom?: Instant
  readonly validUntil?: Instant
}

/** A grant until the end of January under a membership of a year, by default. */
const authorityWith = (options: Options = {}): Authority => ({
  grant: {
    grantId: "grant",
    tenantId: "tenant",
    organizationId: "organization",
    membershipId: "membership",
    personId: "person",
    agentId: "agent",
    agentName: "Agent",
    authorizerName: "Dana",
    role: options.role ?? "BUYER",
    actions: options.held ?? actions,
    subjectRequirements: [],
    createdAt: start,
    expiresAt: end,
    revokedAt: options.revokedAt ?? null,
    generation: 1,
    projectCount: 0,
    proposalCount: 0,
    jobCount: 0,
    draftCount: 0,
    authorityHead: "head",
    authoritySequence: 1,
    authorityAt: start
  },
  membership: {
    validFrom: options.validFrom ?? start,
    validUntil: options.validUntil ?? ("2027-01-01T00:00:00.000Z" as Instant),
    endedAt: options.endedAt ?? null,
    authorities: options.parent ?? authorities
  },
  link: undefined
})

const cells = actions.flatMap((action) => roles.map((role) => ({ action, role, needed: needs[action][role] })))
const grantable = cells.filter((cell): cell is typeof cell & { readonly needed: MembershipAuthority } => {
  return cell.needed !== null
})

describe("actions of a grant", () => {
  it("The actions of a grant are the fourteen of the specification", () => {
    assert.deepStrictEqual([...actions], Object.keys(needs))
  })

  it.each(cells)("Action $action of a $role needs membership authority $needed", ({ action, role, needed }) => {
    assert.strictEqual(isForRole(action, role), needed !== null)
    if (needed !== null) assert.strictEqual(authorityFor(action, role), needed)
  })

  it.each(cells)("Action $action is allowed to a $role only where that side has it", ({ action, role, needed }) => {
    assert.strictEqual(mayAct(authorityWith({ role }), action, monday), needed !== null)
  })

  it.each(grantable)("Action $action of a $role ends when the membership loses $needed", ({ action, role, needed }) => {
    const parent = authorities.filter((one) => one !== needed)
    assert.isFalse(mayAct(authorityWith({ role, parent }), action, monday))
    assert.isTrue(mayAct(authorityWith({ role, parent: [needed] }), action, monday))
  })

  it.each(grantable)("Action $action of a $role is allowed only where the grant includes it", ({ action, role }) => {
    const held = actions.filter((one) => one !== action)
    assert.isFalse(mayAct(authorityWith({ role, held }), action, monday))
  })

  it("MEMBERS_MANAGE allows no customer decision", () => {
    const parent = ["MEMBERS_MANAGE", "DELEGATE"] as const
    for (const { action, role } of cells) assert.isFalse(mayAct(authorityWith({ role, parent }), action, monday))
  })
})

describe("liveness of a credential", () => {
  const before = (instant: Instant) => addMilliseconds(instant, -1)
  const live = (options: Options, now: Instant) => isLive(authorityWith(options), now)

  it("A credential is live until its expiry, exclusive", () => {
    assert.isTrue(live({}, before(end)))
    assert.isFalse(live({}, end))
  })

  it("A credential is live until the end of its parent membership, exclusive", () => {
    assert.isTrue(live({ validUntil: monday }, before(monday)))
    assert.isFalse(live({ validUntil: monday }, monday))
  })

  it("A credential is live from the start of its parent membership, inclusive", () => {
    assert.isFalse(live({ validFrom: monday }, before(monday)))
    assert.isTrue(live({ validFrom: monday }, monday))
  })

  it("A credential is not live when revoked or when its membership has ended", () => {
    assert.isFalse(live({ revokedAt: end }, start))
    assert.isFalse(live({ endedAt: end }, start))
  })

  it("A credential is live only while its person may delegate", () => {
    assert.isFalse(live({ parent: authorities.filter((one) => one !== "DELEGATE") }, monday))
    assert.isTrue(live({ parent: ["DELEGATE"] }, monday))
  })

  it("A credential without a live membership allows no action", () => {
    for (const { action, role } of cells) {
      assert.isFalse(mayAct(authorityWith({ role, validUntil: monday }), action, monday))
    }
  })
})
