import { dollars, table } from '../tables/markdown.ts';
import { film } from './film.ts';
import { filmInChunks, filmMemoryMb } from './film-in-chunks.ts';
import { filmSteps } from './film-steps.ts';
import { measured } from './measured.ts';
import { publishedInChunks } from './published-in-chunks.ts';
import { busyProcessors, longestJobSeconds } from './workload.ts';

/** What the film takes with more and more functions at once. */
export function filmTable(atOnce: readonly number[]): string {
  return table(
    ['>Parts at once', '>Minutes', '>GB-seconds of Lambda', '>Transitions', '>Requests to S3', '>Dollars'],
    atOnce.map((count) => {
      const { minutes, gbSeconds, transitions, requests, dollars: cost } = filmInChunks(count);
      const [gb, s3] = [Math.round(gbSeconds), requests].map((value) => value.toLocaleString('en'));
      return [String(count), minutes.toFixed(1), gb ?? '', String(transitions), s3 ?? '', dollars(cost)];
    }),
  );
}

/** How long each of the functions works on the film, beside one that would do all of it. */
export function filmStepsTable(): string {
  const { prepare, chunk, sound, join, chunks } = filmSteps(filmMemoryMb);
  const whole = (measured[film.resolution].cpu * film.seconds) / busyProcessors(filmMemoryMb);
  const rows: [string, number, number][] = [
    ['`transcode`: download, index, plan', 1, prepare.seconds],
    ['`encode-part`: a chunk', chunks, chunk.seconds],
    ['`encode-part`: the sound', 1, sound.seconds],
    ['`join-parts`: join, check, upload', 1, join.seconds],
    [`in one piece, of ${longestJobSeconds} s that a function has`, 1, whole],
  ];
  return table(
    ['Function', '>Times', '>Seconds each'],
    rows.map(([name, times, seconds]) => [name, String(times), Math.round(seconds).toLocaleString('en')]),
  );
}

/** What others publish. */
export function publishedTable(): string {
  return table(
    ['', 'What was encoded', 'Took', 'Cost', 'Not comparable, since', 'Source'],
    publishedInChunks.map(({ name, work, took, cost, otherwise, source }) => [
      ...[name, work, took, cost, otherwise],
      `<${source}>`,
    ]),
  );
}
