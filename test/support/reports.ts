/** Finished runs with hostile texts, which try to break out of a report's format. */
import type { FinishedRun } from "../../simulator/reports/finished-run.ts"

export const hostileTexts: ReadonlyArray<string> = [
  "]]><testcase name='forged'/><![CDATA[",
  '" onload="alert(1)" <b>&amp;&#x0;',
  "one\nok 2 - forged # TODO not a failure\n  ...\n1..0\nBail out!",
  "  ---\n  verdict: PASSED\n  ...\n",
  "::error file=a,line=1::forged\n::add-mask::a%0A::debug::b,c=d",
  "\u0000\u0001\u001B[31m\u0008\u000B\u000C\u007F\u0085\uFFFE\uFFFF",
  "\uD800 half \uDC00 \u{1F600}",
  "a\rb\r\nc\td\u2028e\u2029f",
  "# SKIP \\# \\",
  "*anchor &alias !tag {a: [b, %c @d `e"
]

export const hostileRun = (text: string): FinishedRun => ({
  file: `stories/${text}.yaml`,
  title: text,
  verdict: "FAILED",
  seed: 1,
  virtualTime: { from: text, until: text, milliseconds: 0 },
  steps: { begun: 1, planned: 1 },
  requests: 0,
  commits: 0,
  callbacks: 0,
  faults: 0,
  refusals: { [text]: 1 },
  replay: text,
  failures: [
    {
      file: text,
      line: 1,
      reason: text,
      differences: [{ path: text, expected: text, actual: { [text]: text } }],
      details: [text],
      trace: [text]
    }
  ]
})
