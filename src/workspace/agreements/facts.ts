/** The parts of terms that are shown alike in an agreement and in a draft, where any part can be missing. */
import { h } from "preact"
import type { DraftContent } from "../../drafts/content.ts"
import type { HumanDecision } from "../../access/actions.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { decisionLabels } from "../kit/labels.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { specificationPath } from "../specifications/path.ts"

type Member<N extends keyof DraftContent> = NonNullable<DraftContent[N]>

export const identifier = (id: string): Element => h("code", null, id)

const sha256 = (digest: string | undefined): Content =>
  digest === undefined ? null : [", SHA-256 ", identifier(digest)]

/** The specification that the terms refer to is linked. */
export const specificationText = ({ id, version, digest }: Member<"specification">): Content => [
  linkTo(specificationPath(id, version), `${id}, version ${version}`),
  sha256(digest)
]

export const templateText = ({ id, version, digest }: Member<"templateBinding">): Content => [
  untrusted(id),
  version === undefined ? null : `, version ${version}`,
  sha256(digest)
]

export const documentText = (
  name: Content,
  { version, digest }: Member<"legalContext">["documents"][number]
): Content => [name, ", version ", untrusted(version), sha256(digest)]

export const criterionText = ({ id, title, requirement }: Member<"criteria">[number]): Content => [
  h(
    "p",
    null,
    id === undefined ? "(no id)" : untrusted(id),
    ": ",
    title === undefined ? "(no title)" : untrusted(title)
  ),
  requirement === undefined ? null : untrustedLines(requirement)
]

export const requirementTexts = (requirements: Member<"subjectRequirements">): Content =>
  requirements.length === 0
    ? "none"
    : requirements.map(({ id, statement, humanDecisions }) => [
        h("p", null, untrusted(id), ":"),
        requirementText(statement, humanDecisions)
      ])

/** What a requirement says, and the decisions that it reserves for people. */
export const requirementText = (statement: string, humanDecisions: ReadonlyArray<HumanDecision>): Content => [
  untrustedLines(statement),
  humanDecisions.length === 0
    ? null
    : paragraph("Reserved for people: ", humanDecisions.map((decision) => decisionLabels[decision]).join("; "), ".")
]
