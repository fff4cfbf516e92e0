import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { dashboardSources } from '../../../lib/build/build-dashboard.ts';

it('the dashboard imports only sources whose change triggers a rebuild', async () => {
  const { metafile } = await build({
    entryPoints: ['packages/dashboard/src/main.tsx'],
    bundle: true,
    external: ['node:*'],
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const isSource = (file: string) =>
    dashboardSources.some((source) => file === source || file.startsWith(`${source}/`));
  const files = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
  expect(files).toContain('packages/cli/src/formatting/command-line.ts');
  expect(files.filter((file) => !isSource(file))).toEqual([]);
});
