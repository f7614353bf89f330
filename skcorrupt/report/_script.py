"""The one script of a page: it sorts tables, and without it a page is whole."""

import base64
import hashlib

SCRIPT = """
'use strict';
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  // what is sorted is what is read: a number, the first of an interval, or a text; dashes come last
  const key = (row, k) => {
    const text = row.cells[k].textContent.trim();
    const number = /^(?:below |above )?([+-]?[\\d,]*\\.?\\d+(?:e[+-]?\\d+)?)(?![\\w-])/.exec(text);
    return number ? Number(number[1].replaceAll(',', '')) : text === '\\u2013' ? null : text;
  };
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, k) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach((each) => each.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = Array.from(body.rows, (row) => [key(row, k), row]);
      rows.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        const order = typeof a === 'number' && typeof b === 'number'
          ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
        return down ? -order : order;
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
"""
# a browser runs this text and no other
DIGEST = "sha256-" + base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
