/** The HTML skeleton of the page, which its script fills. */

const keys: ReadonlyArray<readonly [string, string]> = [
  ["↓ ↑ or j k", "next event, previous event"],
  ["Page Down, Page Up", "one screen down or up"],
  ["Home, End", "first event, last event"],
  ["→ ←", "lane to the right, to the left"],
  ["n, p", "next fault, refusal or failure, previous one"],
  ["Enter", "details of the event: request, response, state difference"],
  ["/", "filter by text; Escape clears the filter"],
  ["t", "table or lanes"],
  ["Escape", "back: from the details, from a filter, to all runs"],
  ["?", "this help"]
]

/** What the drawing means: a sample with the classes of a row, and its meaning. */
const legend: ReadonlyArray<readonly [sample: string, meaning: string]> = [
  [mark('<i class="dot"></i>'), "an event of the actor whose lane it is in"],
  [mark('<i class="arrow right"></i>'), "a message: the arrow ends at the lane of its recipient"],
  [mark('<i class="dot"></i>', "of-commit"), "a commit: rows of the store changed"],
  [mark('<i class="dot"></i>', "of-step"), "a step of the script begins, or an event without effect"],
  [words("refused"), "a refusal: the service answered that it does not do this"],
  [words("fault"), "a fault that was injected, or its effect"],
  [words("failed"), "not as the script expects: what the run fails for"],
  ['<span class="sample pause-sample"></span>', "while the band lasts, the agents of a project are paused"]
]

function mark(drawn: string, kind = ""): string {
  return `<span class="sample ${kind}">${drawn}</span>`
}

function words(tone: string): string {
  return `<span class="row sample ${tone}"><span class="words">${tone === "failed" ? "not as expected" : tone}</span></span>`
}

export const frame = `<main id="timeline" hidden>
<header>
<h1 id="run-title"></h1><p id="run-verdict" class="verdict"></p><p id="run-facts" class="about"></p>
<div id="run-say" role="group" aria-label="Description" tabindex="0"></div>
<div id="step-say" role="group" aria-label="Narration" tabindex="0" hidden></div>
<div class="tools">
<button type="button" id="all-runs">All runs</button>
<label for="filter">Filter</label><input id="filter" type="search" autocomplete="off" spellcheck="false">
<span id="found" role="status"></span>
<button type="button" id="as-table" aria-pressed="false">Table</button>
<button type="button" id="show-help">Legend and keys</button>
</div>
</header>
<div id="scroller" tabindex="-1">
<div id="lanes" aria-hidden="true"><div id="lane-names"></div></div>
<div id="rows" role="listbox" tabindex="0" aria-label="Events in order"></div>
</div>
<div id="table" hidden>
<div id="table-pages" class="tools" role="group" aria-label="Pages of the table"></div>
<table>
<caption class="read-only">Events in order</caption>
<thead><tr><th scope="col">When</th><th scope="col">Step</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Mark</th></tr></thead>
<tbody id="table-rows"></tbody>
</table>
</div>
<aside id="details" role="region" aria-labelledby="details-title" tabindex="0" hidden>
<button type="button" id="close-details">Close</button>
<h2 id="details-title" tabindex="-1"></h2>
<div id="details-body"></div>
</aside>
<p id="said" class="read-only" aria-live="polite"></p>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Legend and keys</h2>
<table><caption class="read-only">Legend</caption><tbody>
${legend.map(([sample, meaning]) => `<tr><td aria-hidden="true">${sample}</td><td>${meaning}</td></tr>`).join("\n")}
</tbody></table>
<h3>Keys</h3>
<table><tbody>
${keys.map(([key, does]) => `<tr><th scope="row"><kbd>${key}</kbd></th><td>${does}</td></tr>`).join("\n")}
</tbody></table>
<form method="dialog"><button>Close</button></form>
</dialog>
</main>
`
