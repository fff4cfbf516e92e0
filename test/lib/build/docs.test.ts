import { documentedTerms } from '@media-jobs/dashboard/documented-terms';
import { expect, it } from 'vitest';
import { docsPath } from '../../../lib/build/docs/pages.ts';
import { renderDocs } from '../../../lib/build/docs/write-docs.ts';

const pages = await renderDocs();
const ids = new Map([...pages].map(([name, html]) => [name, new Set(html.match(/(?<= id=")[^"]+/g))]));

/** Whether an address of the documentation, or a fragment of a page, leads to something. */
function leadsTo(address: string, page: string): boolean {
  const [path = '', fragment] = address.split('#');
  const name = path === '' ? page : path.slice(docsPath.length + 1) || 'index';
  return fragment === undefined ? ids.has(name) : ids.get(name)?.has(decodeURIComponent(fragment)) === true;
}

it('every link of a page leads to a page and a heading', () => {
  const links = [...pages].flatMap(([page, html]) =>
    (html.match(/(?<=href=")[^"]+/g) ?? []).map((href) => ({ page, href })),
  );
  const own = links.filter(({ href }) => /^(#|\/app\/docs(?!.*\.css$))/.test(href));
  expect(own.length).toBeGreaterThan(1_000);
  expect(own.filter(({ page, href }) => !leadsTo(href, page))).toEqual([]);
});

it.each(Object.entries(documentedTerms))('the dashboard links %s to %s', (_, target) => {
  expect(leadsTo(`${docsPath}/${target}`, '')).toBe(true);
});

it('no page needs a script, or a file of another origin', () => {
  for (const html of pages.values())
    expect(html).not.toMatch(/<script|<img|<th><\/th>|<iframe|<link[^>]+href="(?!\/app\/)|javascript:/);
});

it('the reference has every operation with its fields', () => {
  const reference = pages.get('api-reference') ?? '';
  expect(reference).toContain('<code>POST /api/v1/jobs</code>');
  expect(reference.match(/<code>(GET|POST|PUT|PATCH|DELETE|HEAD) \//g)?.length).toBeGreaterThan(30);
  expect(reference).toContain('<td><code>expiresInSeconds</code></td>');
});
