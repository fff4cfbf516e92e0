import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../paths.ts';
import { apiReference } from './api-reference.ts';
import { type DocsPage, docsPages, referenceName } from './pages.ts';
import { renderPage } from './render-page.ts';

/** Writes the pages of the documentation and the API reference as HTML files, which need no script. */
export async function writeDocs(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, html] of await renderDocs()) {
    const file = path.join(directory, `${name}.html`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, html);
  }
  await copyFile(path.join(import.meta.dirname, 'docs.css'), path.join(directory, 'docs.css'));
}

/** The HTML document of each page by its name. */
export async function renderDocs(): Promise<Map<string, string>> {
  const openApi = JSON.parse(await readFile(path.join(root, 'docs/openapi.json'), 'utf8'));
  const reference: DocsPage = { file: 'docs/openapi.json', name: referenceName, markdown: apiReference(openApi) };
  const pages = [...docsPages(), reference];
  return new Map(pages.map((page) => [page.name, renderPage(page, pages)]));
}
