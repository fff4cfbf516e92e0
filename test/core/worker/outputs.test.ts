import type { PlannedOutput } from '@media-jobs/video/encoding';
import { expect, it } from 'vitest';
import type { FileToUpload } from '../../../core/jobs/ports.ts';
import { describeOutputs, storeOutputs } from '../../../core/worker/outputs.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';

const planned = (name: string): PlannedOutput => ({ name, filename: `${name}.mp4`, format: 'mp4' });

it('upload progress counts bytes, not files', async () => {
  const fractions: number[] = [];
  const upload = async ({ path, onProgress }: FileToUpload) => {
    if (path === '/video') for (const bytes of [30e6, 60e6, 90e6]) onProgress?.(bytes);
  };
  const finished = [
    { planned: planned('video'), path: '/video', sizeBytes: 90e6 },
    { planned: planned('trailer'), path: '/trailer', sizeBytes: 10e6 },
  ];
  const files = { ...workerPorts().files, upload };
  const context = workerContext({ report: ({ fraction }) => void fractions.push(fraction) });
  const deps = workerPorts({ files, newId: () => 'file' });
  await storeOutputs(deps, context, describeOutputs(deps, context, finished));
  expect([...new Set(fractions)]).toEqual([0, 0.3, 0.6, 0.9, 1]);
});
