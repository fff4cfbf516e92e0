import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../paths.ts';

/** Where the pages are in the dashboard's origin. */
export const docsPath = '/app/docs';

/** The page of the API reference, which is made of `docs/openapi.json`. */
export const referenceName = 'api-reference';

/** A page of the documentation: its Markdown file, relative to the project, and its name in a URL. */
export type DocsPage = { file: string; name: string; markdown: string };

/** README.md and all pages that its links lead to, directly or by others. */
export function docsPages(): DocsPage[] {
  const found = new Map<string, DocsPage>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    const markdown = readFileSync(path.join(root, file), 'utf8');
    const name = file === 'README.md' ? 'index' : file.replace(/^docs\//, '').replace(/\.md$/, '');
    found.set(file, { file, name, markdown });
    for (const [, target = ''] of markdown.matchAll(/\]\(([^)\s#:]+\.md)/g)) {
      const linked = path.join(path.dirname(file), target);
      if (existsSync(path.join(root, linked))) visit(linked);
    }
  };
  visit('README.md');
  return [...found.values()];
}

/** All files that the documentation is made of, relative to the project. */
export function docsFiles(): string[] {
  return [...docsPages().map(({ file }) => file), 'docs/openapi.json', 'lib/build/docs'];
}

/**
 * The address of what a page links to, with its fragment. Undefined if it is not among the pages: a file of the sources.
 */
export function addressOf(href: string, from: string, pages: readonly DocsPage[]): string | undefined {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const file = path.join(path.dirname(from), target);
  const page = pages.find((each) => each.file === file);
  const name = file === 'docs/openapi.json' ? referenceName : page?.name;
  if (name === undefined) return undefined;
  const address = name === 'index' ? docsPath : `${docsPath}/${name}`;
  return fragment === undefined ? address : `${address}#${fragment}`;
}
