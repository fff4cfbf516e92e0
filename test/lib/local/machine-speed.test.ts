import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { expect, it } from 'vitest';
import { machineSlowness } from '../../../lib/local/machine-speed.ts';
import { makeClip } from '../../../lib/local/sample.ts';

it('the slowness of a machine is the processor time of an encode of the sample clip, relative to the calibrated machine', async () => {
  const { ffmpeg } = findFfmpeg(process.env);
  const [clip, longer] = [join(await aTemporaryFolder(), 'clip.mp4'), join(await aTemporaryFolder(), 'longer.mp4')];
  await makeClip({ ffmpeg, path: clip, seconds: 1 });
  await makeClip({ ffmpeg, path: longer, seconds: 5 });
  expect(await machineSlowness({ ffmpeg, clip: longer })).toBeGreaterThan(
    1.5 * (await machineSlowness({ ffmpeg, clip })),
  );
});

it('a program that does not report its time is named', async () => {
  await expect(machineSlowness({ ffmpeg: '/bin/true', clip: '' })).rejects.toThrow('/bin/true printed no line');
});
