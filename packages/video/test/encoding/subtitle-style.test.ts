import { expect, it } from 'vitest';
import { escapeFilterValue } from '../../src/encoding/overlay.ts';

it.each([
  ['/opt/share/fonts', '/opt/share/fonts'],
  ['DejaVu Sans,b=1', 'DejaVu Sans\\,b=1'],
  ['a:b', 'a\\\\:b'],
  ["it's", "it\\\\\\'s"],
  ['c\\d', 'c\\\\\\\\d'],
  ['[x];', '\\[x\\]\\;'],
])('%s is escaped as %s for both parsers', (text, written) => expect(escapeFilterValue(text)).toBe(written));
