import { expect, it } from 'vitest';
import { fillTables } from '../../markdown/fill-tables.ts';

const document = 'Before.\n\n<!-- table: costs -->\nold\n<!-- end -->\n\nAfter.\n';

it('text between the markers is replaced, and nothing else', () => {
  expect(fillTables(document, { costs: '| new |' })).toBe(
    'Before.\n\n<!-- table: costs -->\n\n| new |\n\n<!-- end -->\n\nAfter.\n',
  );
});

it('filling tables twice changes nothing', () => {
  const once = fillTables(document, { costs: '| $1 $& |' });
  expect(fillTables(once, { costs: '| $1 $& |' })).toBe(once);
});

it.each([
  [{}, 'Nothing makes the table "costs".'],
  [{ costs: '', settings: '' }, 'The document has no place for settings.'],
])('a difference between markers and tables is an error', (tables, sentence) => {
  expect(() => fillTables(document, tables)).toThrow(sentence);
});
