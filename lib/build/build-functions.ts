import path from 'node:path';
import { contracts } from '../../core/api/registry.ts';
import { type Bundle, bundle } from './bundle.ts';
import { entries } from './entries.ts';
import { imageContext } from './image-context.ts';
import { buildDirectory, root } from './paths.ts';

/** The files of the image, and the functions whose bundles they are: the command of each function names one. */
const imageFiles = {
  'index.js': 'transcode',
  'encode-chunk.js': 'encode-chunk',
  'join-chunks.js': 'join-chunks',
};

/** Builds what a stage deploys: a bundle per function, and the folder that the workers' image is built from. */
export async function buildFunctions(): Promise<Bundle[]> {
  const functions = path.join(buildDirectory, 'functions');
  const bundles = await bundle({ root, entries: entries(contracts), outDirectory: functions });
  await imageContext({
    root,
    bundles: Object.fromEntries(
      Object.entries(imageFiles).map(([file, name]) => [file, path.join(functions, name, 'index.js')]),
    ),
    outDirectory: path.join(buildDirectory, 'images/transcode'),
  });
  return bundles;
}
