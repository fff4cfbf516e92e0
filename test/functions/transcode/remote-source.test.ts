import type { Command, Encoder } from '@media-jobs/video/ffmpeg';
import { expect, it } from 'vitest';
import { readingRemotely } from '../../../functions/transcode/remote-source.ts';

const path = 'http://127.0.0.1:4000/source';
const stream = (from: string) => ({ input: { path: from }, stream: 0, filters: [] });

it('commands and comparisons read the source through the proxy, and other files from the disk', async () => {
  const inputs: unknown[] = [];
  const encoder = readingRemotely(
    {
      run: async (command: Command) => void inputs.push(command.inputs),
      compare: async (comparison: Parameters<Encoder['compare']>[0]) =>
        void inputs.push([comparison.encoded.input, comparison.source.input]),
    } as unknown as Encoder,
    { path },
  );
  await encoder.run({ inputs: [{ path }, { path: '/tmp/logo.png' }], outputArguments: [] }, {} as never);
  const comparison = { encoded: stream('/tmp/trial.mp4'), source: stream(path) };
  await encoder.compare({ ...comparison, durationSeconds: 1, frameInterval: 1 } as never, {} as never);
  expect(inputs).toEqual([
    [{ path, isRemote: true }, { path: '/tmp/logo.png' }],
    [{ path: '/tmp/trial.mp4' }, { path, isRemote: true }],
  ]);
});
