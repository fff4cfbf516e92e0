import { expect, it } from 'vitest';
import { fillTables } from '../../../scripts/markdown/fill-tables.ts';

const document = 'Before.\n\n<!-- table: costs -->\nold\n<!-- end -->\n\nAfter.\n';

it('replaces what stands between the marks, and nothing else', () => {
  expect(fillTables(document, { costs: '| new |' })).toBe(
    'Before.\n\n<!-- table: costs -->\n\n| new |\n\n<!-- end -->\n\nAfter.\n',
  );
});

it('changes nothing the second time', () => {
  const once = fillTables(document, { costs: '| $1 $& |' });
  expect(fillTables(once, { costs: '| $1 $& |' })).toBe(once);
});

it.each([
  [{}, 'Nothing makes the table "costs".'],
  [{ costs: '', settings: '' }, 'The document has no place for settings.'],
])('throws where the marks and the tables differ', (tables, sentence) => {
  expect(() => fillTables(document, tables)).toThrow(sentence);
});
