import { formatDollars } from '../../formatting/quantities.ts';
import { table } from '../markdown/table.ts';
import { longVideo, longVideoSteps } from './long-video.ts';
import { longVideoInChunks, longVideoMemoryMb } from './long-video-in-chunks.ts';
import { measured } from './measured.ts';
import { publishedParallelEncoding } from './published-parallel-encoding.ts';
import { maxJobSeconds, usedCpus } from './workload.ts';

/** Resources of the long video at increasing concurrency. */
export function longVideoTable(concurrencies: readonly number[]): string {
  return table(
    [
      '>Concurrent chunks',
      '>Minutes',
      '>GB-seconds of Lambda',
      '>Transitions',
      '>Requests to S3',
      '>Dollars',
    ],
    concurrencies.map((count) => {
      const { minutes, gbSeconds, transitions, s3Requests, dollars: cost } = longVideoInChunks(count);
      const [gb, s3] = [Math.round(gbSeconds), s3Requests].map((value) => value.toLocaleString('en'));
      return [
        String(count),
        minutes.toFixed(1),
        gb ?? '',
        String(transitions),
        s3 ?? '',
        formatDollars(cost),
      ];
    }),
  );
}

/** Duration of each function, compared with a single pass. */
export function longVideoStepsTable(): string {
  const { prepare, chunk, join, chunks } = longVideoSteps(longVideoMemoryMb);
  const singlePass = (measured[longVideo.resolution].cpu * longVideo.seconds) / usedCpus(longVideoMemoryMb);
  const rows: [string, number, number][] = [
    ['`transcode`: index and plan, by ranges', 1, prepare.seconds],
    ['`encode-chunk`: a chunk with its audio', chunks, chunk.seconds],
    ['`join-chunks`: assemble and verify', 1, join.seconds],
    [`single pass (a function is limited to ${maxJobSeconds} s)`, 1, singlePass],
  ];
  return table(
    ['Function', '>Count', '>Seconds each'],
    rows.map(([name, times, seconds]) => [name, String(times), Math.round(seconds).toLocaleString('en')]),
  );
}

/** Published figures of other services. */
export function publishedParallelTable(): string {
  return table(
    ['', 'What was encoded', 'Duration', 'Cost', 'Difference', 'Source'],
    publishedParallelEncoding.map(({ name, work, duration, cost, difference, source }) => [
      ...[name, work, duration, cost, difference],
      `<${source}>`,
    ]),
  );
}
