import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { root } from '../paths.ts';
import { apiReference } from './api-reference.ts';
import { addressOf, type DocsPage, docsPages, docsPath, referenceName } from './pages.ts';

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

/** The whole HTML document of a page. Its content security policy allows no script of its own and no other origin. */
export function renderPage(page: DocsPage, pages: readonly DocsPage[]): string {
  const title = /^# (.+)$/m.exec(page.markdown)?.[1] ?? 'Documentation';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Media jobs</title>
<link rel="icon" href="/app/icon.svg">
<link rel="stylesheet" href="${docsPath}/docs.css">
</head>
<body>
<nav aria-label="Pages">
<p><a href="/app">Dashboard</a></p>
${navigation(page, pages)}
</nav>
<main>
${renderer(page, pages).parse(page.markdown)}</main>
</body>
</html>
`;
}

function navigation(current: DocsPage, pages: readonly DocsPage[]): string {
  const listed = pages.filter(
    ({ name, file }) => file.startsWith('docs/') || name === 'index' || name === referenceName,
  );
  const items = listed.map(({ name, markdown }) => {
    const href = name === 'index' ? docsPath : `${docsPath}/${name}`;
    const mark = name === current.name ? ' aria-current="page"' : '';
    return `<li><a href="${href}"${mark}>${escapeHtml(/^# (.+)$/m.exec(markdown)?.[1] ?? name)}</a></li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

/** GitHub's Markdown with its ids of headings. A link to a file that is no page becomes text, and images are left out. */
function renderer({ file }: DocsPage, pages: readonly DocsPage[]): Marked {
  return new Marked(gfmHeadingId(), {
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href, file, pages);
        return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      image: () => '',
      // A heading without a text is none.
      tablecell({ header, tokens }: Tokens.TableCell) {
        const tag = header && tokens.length > 0 ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>\n`;
      },
    },
  });
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
