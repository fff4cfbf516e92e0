import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the client in a browser bundle has no schema and no recipe', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/client.ts'],
    absWorkingDir: path.join(import.meta.dirname, '..'),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('src/'))).toEqual([]);
  expect(outputFiles[0]?.contents.byteLength).toBeLessThan(5_500);
});
