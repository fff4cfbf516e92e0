import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { resolveStagePresets } from '../../../lib/settings/stage-presets.ts';
import { anAssemblyWith } from './assembly-with-settings.ts';

export const watchedBucket = 'team-media';

type Choice = { name: string; request: object; extension: string; settings?: object };

/**
 * An assembly of the stage `local` with one watch: MP4 and text files under `raw/` become jobs of this request, whose results go
 * to `out/` of the same bucket.
 */
export async function aWatchedAssembly({ name, request, extension, settings }: Choice) {
  const presets = await aTemporaryFolder();
  const preset = {
    title: 'Watched',
    request: { mode: 'recipe', output: { format: extension }, ...request },
    allow: [],
  };
  await writeFile(path.join(presets, 'watched@1.json'), JSON.stringify(preset));
  resolveStagePresets(presets, new Date());
  const bucket = watchedBucket;
  const buckets = [
    { name: 'raw', bucket, prefix: 'raw/', access: 'read' },
    { name: 'out', bucket, prefix: 'out/', access: 'read-write' },
  ];
  const output = { storageProviderId: 'bucket:out', key: `{source}.${extension}` };
  const watches = [{ name, bucket, prefix: 'raw/', suffixes: ['.mp4', '.txt'], preset: 'watched', output }];
  return { assemblyDirectory: await anAssemblyWith({ presets, buckets, watches, ...settings }), buckets: [bucket] };
}
