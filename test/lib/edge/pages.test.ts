import { readFileSync } from 'node:fs';
import { loadViewerRequest } from '@media-jobs/local-stage/emulators';
import { expect, it } from 'vitest';

const run = loadViewerRequest(readFileSync(new URL('../../../lib/edge/pages.js', import.meta.url), 'utf8'), undefined);

it.each([
  ['/app', '/app/index.html'],
  ['/app/', '/app/index.html'],
  ['/app/jobs/0199c39e-77aa', '/app/index.html'],
  ['/app/assets/main-Bx1.js', '/app/assets/main-Bx1.js'],
  ['/app/config.json', '/app/config.json'],
  ['/app/docs', '/app/docs/index.html'],
  ['/app/docs/', '/app/docs/index.html'],
  ['/app/docs/recipes', '/app/docs/recipes.html'],
  ['/app/docs/docs.css', '/app/docs/docs.css'],
  ['/application', '/application'],
  ['/anything/else', '/anything/else'],
])('%s is served from %s', async (uri, file) => {
  expect(await run({ method: 'GET', uri, querystring: {}, headers: {} })).toMatchObject({ uri: file });
});
