import path from 'node:path';
import { contracts } from '../../core/api/registry.ts';
import { type Bundle, bundle } from './bundle.ts';
import { entries } from './entries.ts';
import { imageContext } from './image-context.ts';
import { buildDirectory, root } from './places.ts';

/** Builds what a stage deploys: a bundle per function, and the folder that the transcoder's image is built from. */
export async function buildFunctions(): Promise<Bundle[]> {
  const functions = path.join(buildDirectory, 'functions');
  const bundles = await bundle({ root, entries: entries(contracts), outDirectory: functions });
  await imageContext({
    root,
    bundleFile: path.join(functions, 'transcode/index.js'),
    outDirectory: path.join(buildDirectory, 'images/transcode'),
  });
  return bundles;
}
