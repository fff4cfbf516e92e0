import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';

const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');

/** A heading such as "A chunked job: 35 files more than a transcode", and the text below it. */
const sections = [...page.matchAll(/^### (.+): (\d+) files(?: more than (.+))?\n([\s\S]*?)(?=^##)/gm)].map(
  ([, name = '', count, base, text = '']) => ({
    name,
    count: Number(count),
    base,
    files: new Set([...text.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, file]) => file)),
  }),
);

it.each(sections)('docs/architecture.md counts the files of its route: $name', ({ count, base, files }) => {
  const common = sections.find(({ name }) => name.toLowerCase() === base);
  if (base !== undefined) expect(common, base).toBeDefined();
  expect([...files].filter((file) => !common?.files.has(file))).toHaveLength(count);
});

it('docs/architecture.md lists the files of each route', () => {
  expect(sections.map(({ name }) => name)).toContain('A transcode');
});
