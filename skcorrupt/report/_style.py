"""How the page looks: on a screen, light or dark, and on paper."""

STYLE = """
:root { color-scheme: light dark; --text: #1d2733; --back: #ffffff; --faint: #5b6673;
  --line: #ccd3da; --shade: #f3f5f7; --link: #1f5c99; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --back: #16191d; --faint: #a3adb8;
  --line: #444c55; --shade: #22272d; --link: #8ab8e6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem; background: var(--back);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { min-width: 0; } p, dl, main > section > ul, figcaption { max-width: 62rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
a { color: var(--link); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; }
#answer ~ p { font-size: 1.08rem; }
.note { color: var(--faint); font-size: .92rem; }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; margin: .6rem 0; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { border-bottom: 2px solid var(--line); background: var(--shade); }
tbody th { font-weight: 600; }
tbody tr:hover { background: var(--shade); }
th[title] { text-decoration: underline dotted; text-underline-offset: .2em; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
  text-align: inherit; text-decoration: inherit; }
th button::after { content: " \\2195"; color: var(--faint); }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
.glance { width: 100%; } .glance th { width: 12rem; }
.glance tr:first-child td { font-weight: 600; }
.wide th, .wide td { padding: .3rem .5rem; overflow-wrap: break-word; }
.wide td:not(.number) { min-width: 4rem; } .wide td code { overflow-wrap: anywhere; }
.wide tbody th:not(.number) { min-width: 8rem; }
.wide td.long { min-width: 11rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead .number { white-space: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; font-size: .9rem;
  color: var(--faint); margin: .3rem 0 1rem; }
dt { font-weight: 600; max-width: 16rem; } dd { margin: 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--shade); padding: .6rem .8rem; margin: .3rem 0; white-space: pre-wrap; }
figure { margin: 1rem 0; }
.plot { position: relative; width: fit-content; max-width: 100%; }
.plot span { position: absolute; }
img { display: block; max-width: 100%; height: auto; background: #ffffff; }
figcaption { color: var(--faint); font-size: .92rem; max-width: 45rem; }
@media (max-width: 40rem) { dl { display: block; } dt { max-width: none; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; margin-top: 1.2rem; }
  nav ul { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; margin: .4rem 0; }
  body { padding-top: .8rem; } .glance caption { display: none; }
  .glance :is(tbody, tr, th, td) { display: block; width: auto; }
  .glance th { border-bottom: 0; padding: .3rem 0 0; color: var(--faint); }
  .glance td { padding: 0 0 .3rem; }
  .wide caption > span { position: sticky; left: 0; display: inline-block;
    max-width: calc(100vw - 2.5rem); }
  .wide tbody th:first-child, .wide thead th:first-child { position: sticky; left: 0;
    background: var(--back); min-width: 6rem; max-width: 9rem; z-index: 1;
    border-right: 1px solid var(--line); }
  .wide td.long { min-width: 15rem; } .wide td pre { min-width: 15rem; }
  :is(.settings, .overview) :is(table, tbody, tr, th, td) { display: block; min-width: 0;
    max-width: none; }
  :is(.settings, .overview) caption { display: block; }
  :is(.settings, .overview) thead { display: none; }
  :is(.settings, .overview) :is(tbody th, td) { border-bottom: 0; }
  :is(.settings, .overview) tbody th:first-child { position: static; border-right: 0;
    max-width: none; }
  :is(.settings, .overview) tr { border-bottom: 1px solid var(--line); }
  .overview td::before { content: attr(data-label); display: block; color: var(--faint);
    font-weight: 600; }
  .settings td pre { min-width: 0; } }
@media print { th button::after { content: none; }
  :root { color-scheme: light; --text: #000000; --back: #ffffff; --faint: #333333;
  --line: #999999; --shade: #ffffff; --link: #000000; } nav { display: none; }
  body { max-width: none; padding: 0; font-size: 10pt; } .wide { overflow: visible; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } thead { display:
  table-header-group; } }
"""
