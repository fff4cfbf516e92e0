import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { openWorkspace } from '@media-jobs/video/runner';
import { anEncoder, clipWith, writeFalseDuration } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { systemClock } from '../../../adapters/system/clock.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import { beginSteps } from '../../../functions/transcode/graph-state.ts';
import { runStepsUntil } from '../../../functions/transcode/run-pass.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';

it('the disk holds the input and output of one step, and no file that no step reads any more', async () => {
  const workspace = await openWorkspace(await aTemporaryFolder());
  const input = workspace.downloadPath('input-1');
  await copyFile(await clipWith(), input);
  const held: boolean[] = [];
  const encoder = noting(() => held.push(existsSync(input)));
  const recipe = { name: 'resize', width: 160 } as const;
  const steps = readSteps({
    mode: 'pipeline',
    input: { url: 'https://example.com/a.mp4' },
    output: { format: 'mp4' },
    steps: [{ recipe }, { recipe: { name: 'remux' } }],
  });
  const fetched = {
    inputs: [{ path: input, probe: await encoder.probe(input) }],
    assets: [],
    downloaded: [],
    inputSizeBytes: 0,
    canCompare: await encoder.canCompare(),
  };
  const deps = workerPorts({ media: encoder, clock: systemClock });
  const context = workerContext({ deadline: new Date(Date.now() + 60_000) });
  const { outputs } = await runStepsUntil(deps, context, beginSteps({ steps, fetched, workspace }), 2);
  // The last run decodes the copied video at its seams.
  expect(held).toEqual([true, false, false]);
  expect(outputs).toMatchObject([{ probe: { streams: [{ width: 160 }, { kind: 'audio' }] } }]);
});

it('an input that is longer than it declares is rejected before much of it is encoded', async () => {
  const workspace = await openWorkspace(await aTemporaryFolder());
  const path = workspace.downloadPath('input-1');
  await writeFalseDuration(path);
  const encoder = anEncoder();
  const probe = await encoder.probe(path);
  expect(probe.durationSeconds).toBe(1);
  const steps = readSteps({
    mode: 'recipe',
    input: { url: 'https://example.com/a.mkv' },
    output: { format: 'mp4' },
    recipe: { name: 'compress' },
  });
  const fetched = { inputs: [{ path, probe }], assets: [], downloaded: [], inputSizeBytes: 0, canCompare: false };
  const deps = workerPorts({ media: encoder, clock: systemClock });
  const context = workerContext({ deadline: new Date(Date.now() + 60_000) });
  const run = runStepsUntil(deps, context, beginSteps({ steps, fetched, workspace }), 1);
  await expect(run).rejects.toMatchObject({
    code: 'INPUT_UNSUPPORTED',
    message: expect.stringContaining('longer than its header declares'),
  });
});

/** The encoder of this machine, which calls `note` at the start of each run. */
function noting(note: () => void): Encoder {
  const encoder = anEncoder();
  return {
    ...encoder,
    run: (command, options) => {
      note();
      return encoder.run(command, options);
    },
  };
}
