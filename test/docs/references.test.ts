import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { recipes } from '@media-jobs/video/recipes';
import { expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';
import manifest from '../../package.json' with { type: 'json' };
import { pages, readPage as read } from './command-lines.ts';

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  const prose = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a page to files of this project, with their anchors. */
function linksOf(page: string): { file: string; anchor: string }[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, file = '', anchor = '']) => ({
    file: file === '' ? page : path.join(path.dirname(page), file),
    anchor,
  }));
}

it.each(pages)('%s links to existing files and headings', (page) => {
  for (const { file, anchor } of linksOf(page)) {
    expect(existsSync(path.join(root, file)), `${file}, which ${page} links to`).toBe(true);
    if (anchor !== '') expect(anchorsOf(file)).toContain(anchor);
  }
});

it.each(pages)('%s has no markers of an unresolved merge conflict', (page) => {
  expect(read(page)).not.toMatch(/^(<{7}|={7}|>{7})( |$)/m);
});

it.each(pages)('%s names existing npm scripts', (page) => {
  const named = [...read(page).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*[a-z])/g)].map(([, name = '']) => name);
  for (const name of named) expect(Object.keys(manifest.scripts)).toContain(name);
});

const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** The files of this project that a page names in backticks, such as `core/errors.ts`. */
function filesNamedBy(page: string): string[] {
  return [...read(page).matchAll(/`([\w-]+)\/([\w./-]+\.(?:ts|tsx|cjs|sh|json|py))`/g)].flatMap(
    ([, folder = '', file = '']) => (folders.includes(folder) ? [path.join(folder, file)] : []),
  );
}

it.each(pages)('%s names existing files', (page) => {
  for (const file of filesNamedBy(page)) expect(existsSync(path.join(root, file)), file).toBe(true);
});

const decisions = pages.filter((page) => path.basename(page) === 'DECISION.md');

it.each(decisions)('%s is at most a page', (page) => expect(read(page).split(/\s+/).length).toBeLessThan(700));

it('all pages together have at most 65,000 words, without generated tables', () => {
  const texts = pages.map((page) => read(page).replaceAll(/^<!-- table:[\s\S]*?^<!-- end -->$/gm, ''));
  const words = texts.flatMap((text) => text.split(/\s+/)).filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(65_000);
});

it('the README counts the recipes', () => expect(read('README.md')).toContain(`[${recipes.length} recipes]`));
