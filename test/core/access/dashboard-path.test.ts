import { expect, it } from 'vitest';
import { dashboardFile } from '../../../core/access/dashboard-path.ts';

it.each([
  ['/app', '/app/index.html'],
  ['/app/', '/app/index.html'],
  ['/app/jobs/0199c39e-77aa', '/app/index.html'],
  ['/app/assets/main-Bx1.js', '/app/assets/main-Bx1.js'],
  ['/app/config.json', '/app/config.json'],
  ['/application', '/application'],
  ['/anything/else', '/anything/else'],
])('%s is served from %s', (path, file) => {
  expect(dashboardFile(path)).toBe(file);
});

it('dashboardFile has no dependencies, so that CloudFront can run its source text', () => {
  const elsewhere = new Function(`return ${dashboardFile.toString()}`)() as typeof dashboardFile;
  expect(elsewhere('/app/keys')).toBe('/app/index.html');
});
