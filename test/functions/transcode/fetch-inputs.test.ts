import { copyFile, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { JobError } from '@media-jobs/video/errors';
import { openWorkspace } from '@media-jobs/video/runner';
import { anEncoder, clipWith } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { FunctionPorts, Sources } from '../../../core/worker/ports.ts';
import { fetchInputs } from '../../../functions/transcode/fetch-inputs.ts';
import type { FetchedInputs } from '../../../functions/transcode/graph-state.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';

type Choice = { download: Sources['download']; canCompare: FunctionPorts['media']['canCompare']; stepCount?: number };

/** Fetches a job's only input with this download, and with ffmpeg of this machine. */
async function fetched({ download, canCompare, stepCount = 1 }: Choice): Promise<FetchedInputs> {
  // A task leaves no source in place.
  const ports = workerPorts({ sources: { download }, media: { ...anEncoder(), canCompare } });
  const deps = { ...ports, kind: 'task' } as const;
  const context = workerContext();
  const workspace = await openWorkspace(await aTemporaryFolder());
  const [step] = readSteps(context.job.request);
  const steps = step ? Array.from({ length: stepCount }, () => step) : [];
  const proxies = new AsyncDisposableStack();
  const result = await fetchInputs(deps, context, { steps, completed: undefined, workspace, proxies });
  if ('kind' in result) throw new Error(result.reason);
  return result;
}

const bringClip: Sources['download'] = async ({ path }) => {
  await copyFile(await clipWith(), path);
  return { bytes: 1_000, sha256: '0'.repeat(64) };
};

it('ffmpeg is queried for its comparison filters during the download', async () => {
  const requested = Promise.withResolvers<void>();
  const { canCompare } = await fetched({
    canCompare: async () => {
      requested.resolve();
      return true;
    },
    download: async (request) => {
      await requested.promise;
      return bringClip(request);
    },
  });
  expect(canCompare).toBe(true);
});

const noAnswer = () => Promise.reject(new Error('ffmpeg does not start'));

it('a job fails if ffmpeg does not start', async () => {
  await expect(fetched({ canCompare: noAnswer, download: bringClip })).rejects.toThrow('ffmpeg does not start');
});

it('the error of a download wins over an earlier one of ffmpeg', async () => {
  const download = async () => {
    await setImmediate();
    throw new JobError('INPUT_UNREACHABLE', 'media.example answered 404', { retryable: false });
  };
  await expect(fetched({ canCompare: noAnswer, download })).rejects.toMatchObject({ code: 'INPUT_UNREACHABLE' });
});

it.each([
  [1, 9_000_000_000],
  [2, 5_000_000_000],
])('a job of %i steps downloads at most %i bytes: intermediates need disk too', async (stepCount, maxBytes) => {
  const requested: number[] = [];
  const download: Sources['download'] = (request) => {
    requested.push(request.maxBytes);
    return bringClip(request);
  };
  await fetched({ download, canCompare: async () => true, stepCount });
  expect(requested).toEqual([maxBytes]);
});

const shortfall = 'media.example stated 400 bytes and sent 300';
const canCompare = async () => true;

it('an input that its host ended early becomes a warning, or the error if it is no media', async () => {
  const bringShort: Sources['download'] = async (request) => ({ ...(await bringClip(request)), shortfall });
  const { warnings } = await fetched({ canCompare, download: bringShort });
  const message = `${shortfall}; the job was made of what arrived`;
  expect(warnings).toEqual([{ code: 'INPUT_DAMAGED', message }]);
  const bringText: Sources['download'] = async ({ path }) => {
    await writeFile(path, 'moov');
    return { bytes: 4, shortfall };
  };
  await expect(fetched({ canCompare, download: bringText })).rejects.toMatchObject({
    code: 'INPUT_UNREACHABLE',
    message: expect.stringMatching(`^${shortfall}\\. `),
  });
});
