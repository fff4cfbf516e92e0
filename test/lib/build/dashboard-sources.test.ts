import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { dashboardSources } from '../../../lib/build/build-dashboard.ts';

it('the dashboard imports only sources whose change triggers a rebuild', async () => {
  const { metafile } = await build({
    entryPoints: ['dashboard/main.tsx'],
    bundle: true,
    packages: 'external',
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const isSource = (file: string) =>
    dashboardSources.some((source) => file === source || file.startsWith(`${source}/`));
  const files = Object.keys(metafile.inputs);
  expect(files).toContain('formatting/command-line.ts');
  expect(files.filter((file) => !isSource(file))).toEqual([]);
});
