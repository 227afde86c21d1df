/** The HTML skeleton of the page, which its script fills. */

const spans = ["1s", "15s", "1m", "1h", "1d"]

const time = `<section aria-labelledby="time-title">
<h2 id="time-title">Time</h2>
<dl>
<div><dt>Now</dt><dd><time id="now"></time></dd></div>
<div><dt>Next timer</dt><dd id="next-timer"></dd></div>
<div><dt>Time held by</dt><dd id="standing"></dd></div>
</dl>
<div id="spans" class="row" role="group" aria-label="Advance by">
${spans.map((span) => `<button type="button" data-by="${span}">+ ${span}</button>`).join("\n")}
</div>
<form id="until-form" class="row">
<label for="until">Until</label><input id="until" required autocomplete="off" spellcheck="false" size="26" placeholder="2026-03-02T09:00:00.000Z">
<button>Advance</button>
</form>
</section>
`

const act = `<section aria-labelledby="act-title">
<h2 id="act-title">Act</h2>
<form id="act-form">
<p><label for="as">Actor</label><input id="as" required list="actors" autocomplete="off" spellcheck="false"></p>
<p><label for="do">Operation</label><input id="do" required list="operations" autocomplete="off" spellcheck="false"></p>
<p><label for="on">Target</label><input id="on" autocomplete="off" spellcheck="false" placeholder="\${project} or an id"></p>
<p><label for="input">Input</label><textarea id="input" rows="4" spellcheck="false" aria-describedby="input-about"></textarea></p>
<p id="input-about" class="about">A JSON object; default inputs can be omitted.</p>
<button>Send</button>
</form>
<datalist id="actors"></datalist>
<datalist id="operations"></datalist>
</section>
`

const fault = `<section aria-labelledby="fault-title">
<h2 id="fault-title">Inject a fault</h2>
<form id="fault-form">
<p><label for="fault">Fault</label><select id="fault" aria-describedby="fault-about"></select></p>
<p id="fault-about" class="about"></p>
<p><label for="strikes">Applies to</label><input id="strikes" list="actors" autocomplete="off" spellcheck="false" placeholder="an actor, service or worker"></p>
<p><label for="fault-step">As a step</label><textarea id="fault-step" rows="7" spellcheck="false"></textarea></p>
<button>Inject</button>
</form>
<form id="hold-form" class="row" aria-label="Requests held back">
<label for="hold-of">Requests of</label><input id="hold-of" required list="actors" autocomplete="off" spellcheck="false">
<button value="hold">Hold</button><button value="release">Release</button>
</form>
</section>
`

const branches = `<section aria-labelledby="branches-title">
<h2 id="branches-title">Snapshots and forks</h2>
<form id="snapshot-form" class="row">
<label for="snapshot">Snapshot</label><input id="snapshot" required autocomplete="off" spellcheck="false">
<button>Take</button>
</form>
<button type="button" id="fork">Fork this world as it is now</button>
<ul id="snapshots" aria-label="Snapshots"></ul>
</section>
`

export const frame = `<header>
<h1>Simulator</h1>
<form id="world-form" class="row">
<label for="world">World</label><select id="world"></select>
<button value="new">New world</button><button value="end">End this world</button>
</form>
<nav id="links" class="row" aria-label="This world as"></nav>
<p id="session" class="about"></p>
<p id="said" role="status"></p>
</header>
<main>
<div id="controls">
${time}${act}${fault}${branches}</div>
<div id="sight">
<section aria-labelledby="answer-title">
<h2 id="answer-title" tabindex="-1">Last answer</h2>
<div id="answer"></div>
</section>
<section aria-labelledby="events-title">
<h2 id="events-title">Events</h2>
<ol id="events" tabindex="0" aria-labelledby="events-title"></ol>
</section>
</div>
</main>
<noscript><p>This page requires JavaScript; the control API offers the same functions.</p></noscript>
`
