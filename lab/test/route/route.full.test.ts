import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';
import { figuresOf, filesOfService, routeLimits } from '../../route/describe-route.ts';
import { measureRoutes, type Routes } from '../../route/measure-route.ts';

const routes = await measureRoutes();

it.each(Object.entries(routeLimits))('%s executes few files', async (name, limits) => {
  const figures = await figuresOf(routes[name as keyof Routes], root);
  expect(figures.files).toBeGreaterThan(20);
  for (const [figure, most] of Object.entries(limits))
    expect(figures[figure as keyof typeof figures], figure).toBeLessThanOrEqual(most);
});

it('the document names each file of the service that a transcode executes', async () => {
  const text = await readFile(join(root, 'docs', 'route.md'), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  const isNamed = (file: string) =>
    lines.some(
      (line) => line.startsWith(`- \`${dirname(file)}\``) && line.split(/[:,] /).includes(basename(file, '.ts')),
    );
  expect(filesOfService(routes.transcode).filter((file) => !isNamed(file))).toEqual([]);
});
