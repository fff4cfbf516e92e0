import { dollars, table } from '../markdown/table.ts';
import { longVideo } from './long-video.ts';
import { longVideoInChunks, longVideoMemoryMb } from './long-video-in-chunks.ts';
import { longVideoSteps } from './long-video-steps.ts';
import { measured } from './measured.ts';
import { publishedParallelEncoding } from './published-parallel-encoding.ts';
import { busyProcessors, maxJobSeconds } from './workload.ts';

/** What the film takes with more and more functions at once. */
export function longVideoTable(atOnce: readonly number[]): string {
  return table(
    ['>Parts at once', '>Minutes', '>GB-seconds of Lambda', '>Transitions', '>Requests to S3', '>Dollars'],
    atOnce.map((count) => {
      const { minutes, gbSeconds, transitions, requests, dollars: cost } = longVideoInChunks(count);
      const [gb, s3] = [Math.round(gbSeconds), requests].map((value) => value.toLocaleString('en'));
      return [String(count), minutes.toFixed(1), gb ?? '', String(transitions), s3 ?? '', dollars(cost)];
    }),
  );
}

/** How long each of the functions works on the film, beside one that would do all of it. */
export function longVideoStepsTable(): string {
  const { prepare, chunk, audio, join, chunks } = longVideoSteps(longVideoMemoryMb);
  const whole = (measured[longVideo.resolution].cpu * longVideo.seconds) / busyProcessors(longVideoMemoryMb);
  const rows: [string, number, number][] = [
    ['`transcode`: download, index, plan', 1, prepare.seconds],
    ['`encode-chunk`: a chunk', chunks, chunk.seconds],
    ['`encode-chunk`: the sound', 1, audio.seconds],
    ['`join-chunks`: join, check, upload', 1, join.seconds],
    [`in one piece, of ${maxJobSeconds} s that a function has`, 1, whole],
  ];
  return table(
    ['Function', '>Times', '>Seconds each'],
    rows.map(([name, times, seconds]) => [name, String(times), Math.round(seconds).toLocaleString('en')]),
  );
}

/** What others publish. */
export function publishedParallelTable(): string {
  return table(
    ['', 'What was encoded', 'Took', 'Cost', 'Not comparable, since', 'Source'],
    publishedParallelEncoding.map(({ name, work, took, cost, otherwise, source }) => [
      ...[name, work, took, cost, otherwise],
      `<${source}>`,
    ]),
  );
}
