import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { version } from '../../core/version.ts';
import { root } from '../../lib/build/paths.ts';
import manifest from '../../package.json' with { type: 'json' };
import { readPage } from './command-lines.ts';

it('the version is that of package.json and the newest in the changelog, with a note on the upgrade', () => {
  const [, newest = '', entry = ''] = /^## \[?([\d.]+)[^\n]*\n([\s\S]*?)(?=^## )/m.exec(readPage('CHANGELOG.md')) ?? [];
  expect([version, newest]).toEqual([manifest.version, manifest.version]);
  expect(entry).toContain('### Upgrade');
});

const threats = [...readPage('docs/threat-model.md').matchAll(/^\|(?! Who|-).*\| (.*) \|$/gm)].map(
  ([row, test = '']) => ({ row, test }),
);

it('the threat model has threats', () => expect(threats.length).toBeGreaterThan(15));

it.each(threats)('a threat is tested: $test', ({ row, test }) => {
  const [, file = '', title = ''] = /^`(\S+\.test\.ts)`: (.+)$/.exec(test) ?? [];
  expect(existsSync(path.join(root, file)) && file !== '', row).toBe(true);
  const text = readFileSync(path.join(root, file), 'utf8');
  expect(
    ["'", '"', '`'].some((quote) => text.includes(quote + title + quote)),
    title,
  ).toBe(true);
});
