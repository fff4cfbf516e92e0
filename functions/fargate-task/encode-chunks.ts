import { chunkTasks, runsFirst } from '@media-jobs/video/chunking';
import { EncodeError } from '@media-jobs/video/ffmpeg';
import type { Watch } from '../../core/chunked/watch-job.ts';
import { encodedFraction } from '../../core/jobs/progress.ts';
import { encodeAndStore } from '../encode-chunk/app.ts';
import { JoinMismatchError } from '../join-chunks/join.ts';
import { joinAndStore } from '../join-chunks/join-and-store.ts';
import type { EncodeChunks } from '../transcode/attempt.ts';
import { storeChunks } from '../transcode/store-chunk-plan.ts';

/**
 * Encodes the chunks of a job one after the other in this process, and joins them. Their results stay in the bucket: an attempt
 * after an interruption goes on behind them. Undefined if the chunks cannot be encoded or joined, and a single pass may help.
 */
export const encodeChunks: EncodeChunks = async (attempt, { planned, state }) => {
  const { deps, context } = attempt;
  const { job, signal, deadline } = context;
  const { work, planKey } = await storeChunks(deps, context, { planned, state });
  const tasks = chunkTasks(work);
  const first = [...tasks.keys()].filter((chunk) => tasks[chunk] !== undefined && runsFirst(work, tasks[chunk]));
  const order = [...first, ...[...tasks.keys()].filter((chunk) => !first.includes(chunk))];
  const { ownerId, jobId, leaseId } = job;
  const ref = { ownerId, jobId, leaseId, planKey };
  const watchOf = (done: number): Watch => ({
    job,
    signal,
    isLost: () => attempt.lease.signal.aborted,
    onRead: () => undefined,
    report: (percent) => {
      const fraction = (done + percent / 100) / (order.length + 1);
      context.report({ stage: 'transcoding', fraction: encodedFraction({ count: 1 }, { index: 0, fraction }) });
    },
    end: async () => undefined,
    timedJob: () => job,
  });
  try {
    for (const [done, chunk] of order.entries()) {
      const task = { ...ref, chunk, isSecondRun: false };
      await encodeAndStore(deps, task, { watch: watchOf(done), deadline, secondRun: undefined });
    }
    const joined = await joinAndStore(
      deps,
      { ...ref, failed: false },
      { watch: watchOf(order.length), signal, deadline },
    );
    if (joined.kind === 'step-completed') throw new TypeError('The steps of this job are not encoded in chunks');
    if (joined.kind === 'uploaded') return { ...joined.publication, kind: 'uploaded' };
    return { kind: 'finished', result: joined.result };
  } catch (cause) {
    const mayHelp = cause instanceof JoinMismatchError || cause instanceof EncodeError;
    if (!mayHelp || signal.aborted) throw cause;
    deps.onUnexpected(job, cause);
    return undefined;
  }
};
