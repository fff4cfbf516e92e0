// @module-tag nightly
import { readFileSync } from 'node:fs';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { expect, it } from 'vitest';
import { readAllowed } from '../command-table/read-options.ts';

/** Debian's revision of a version does not change the options of ffmpeg. */
const release = (version: string) => version.replace(/-.*$/, '');

it('what commands may use is what the ffmpeg of the image has', ({ skip }) => {
  const table = JSON.parse(readFileSync('packages/video/src/recipes/command/allowed.json', 'utf8'));
  const [, pinned = ''] = readFileSync('layers/ffmpeg/version', 'utf8').trim().split(':');
  expect(release(table.ffmpeg)).toBe(release(pinned));
  const ofThisMachine = readAllowed(findFfmpeg(process.env).ffmpeg);
  if (release(ofThisMachine.ffmpeg) !== release(pinned)) skip('ffmpeg here is of another release');
  expect({ ...ofThisMachine, ffmpeg: table.ffmpeg }).toEqual(table);
});
