import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { expect, it } from 'vitest';
import { machineSlowness } from '../../../lib/local/machine-speed.ts';
import { makeClip } from '../../../lib/local/sample.ts';

it('the slowness of a machine is the median of three encodes, relative to the reference', async () => {
  const ffmpeg = join(await aTemporaryFolder(), 'ffmpeg');
  const script = `#!/bin/sh
echo >> "$0.runs"
seconds=$(echo '9 1.75 3.5' | cut -d ' ' -f $(wc -l < "$0.runs"))
echo "bench: utime=$seconds""s stime=0s rtime=9s" >&2`;
  await writeFile(ffmpeg, script, { mode: 0o755 });
  expect(await machineSlowness({ ffmpeg, clip: 'clip.mp4' })).toBe(2);
});

it('the sample clip can be encoded', async () => {
  const { ffmpeg } = findFfmpeg(process.env);
  const clip = join(await aTemporaryFolder(), 'clip.mp4');
  await makeClip({ ffmpeg, path: clip, seconds: 1 });
  expect(await machineSlowness({ ffmpeg, clip })).toBeGreaterThan(0);
});

it('a program that does not report its time is named', async () => {
  await expect(machineSlowness({ ffmpeg: '/bin/true', clip: '' })).rejects.toThrow('/bin/true printed no line');
});
