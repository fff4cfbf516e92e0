import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../../adapters/filesystem/workspace.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import type { Encoder } from '../../../core/media/ports.ts';
import { stepsOf } from '../../../core/recipes/steps.ts';
import { runSteps } from '../../../functions/transcode/run-steps.ts';
import type { WorkContext, WorkPorts } from '../../../functions/transcode/work.ts';
import { clipWith } from '../../builders/clips.ts';
import { aDirectory, anEncoder } from '../../builders/encode.ts';
import { aProcessingJob } from '../../builders/jobs.ts';

it('holds on its disk what a step reads and writes, and nothing that no step reads any more', async () => {
  const workspace = await openWorkspace(await aDirectory());
  const input = workspace.downloadPath('input-1');
  await copyFile(await clipWith(), input);
  const held: boolean[] = [];
  const encoder = noting(() => held.push(existsSync(input)));
  const recipe = { name: 'resize', width: 160 } as const;
  const steps = stepsOf({
    mode: 'pipeline',
    input: { url: 'https://example.com/a.mp4' },
    output: { format: 'mp4' },
    steps: [{ recipe }, { recipe: { name: 'mute' } }],
  });
  const fetched = {
    inputs: [{ path: input, probe: await encoder.probe(input) }],
    assets: [],
    inputSizeBytes: 0,
    filters: await encoder.filters(),
  };
  const ports = { encoder, clock: systemClock, stallSeconds: 60, fontsDirectory: '.' } as WorkPorts;
  const context: WorkContext = {
    job: aProcessingJob(),
    lease: { report: () => undefined },
    signal: new AbortController().signal,
    deadline: new Date(Date.now() + 60_000),
  };
  const { kept } = await runSteps(ports, context, { steps, fetched, workspace });
  expect(held).toEqual([true, false]);
  expect(kept).toMatchObject([{ probe: { streams: [{ width: 160 }] } }]);
});

/** The encoder of this machine, which calls `note` as it begins a run. */
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
