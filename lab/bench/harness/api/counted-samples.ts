import { isDeepStrictEqual } from 'node:util';
import type { Calls } from '@media-jobs/local-stage/emulators';
import type { Samples } from '../figures/median-ratio.ts';
import type { Side } from '../figures/pairs.ts';
import type { HostedStage } from '../stage/hosted-stage.ts';

type Compared = {
  subject: () => Promise<unknown>;
  baseline: Side;
  /** The calls that the subject makes, by operation. */
  calls: Record<string, number>;
  /** Those of the baseline, if they differ. */
  baselineCalls?: Record<string, number>;
};

type Measured = {
  stage: HostedStage;
  print: (line: string) => void;
  warmUps: number;
  samples: number;
};

/**
 * Measures a request and its baseline alternately, in milliseconds.
 *
 * @throws Error if the emulators have counted other calls
 */
export async function countedSamples(
  name: string,
  { subject, baseline, calls, baselineCalls = calls }: Compared,
  { stage, print, warmUps, samples }: Measured,
): Promise<Samples> {
  const pair = async () => {
    const startedAt = performance.now();
    await subject();
    return { subject: performance.now() - startedAt, baseline: await baseline() };
  };
  for (let count = 0; count < warmUps; count++) await pair();
  await stage.takeCalls();
  const pairs = [];
  for (let count = 0; count < samples; count++) pairs.push(await pair());
  assertCalls(await stage.takeCalls(), { sides: [calls, baselineCalls], samples });
  const sides = { subject: pairs.map((one) => one.subject), baseline: pairs.map((one) => one.baseline) };
  print(
    `  ${name}: ${Object.entries(calls)
      .map(([call, count]) => `${count} ${call}`)
      .join(', ')}, as counted`,
  );
  return sides;
}

/** Background calls: the write of a key's last use, the poller of the queue, and reconcile's query of due jobs. */
const others = new Set(['UpdateItem', 'ReceiveMessage', 'Query']);

/** Counted calls by operation, without those that no request makes. */
export function requestCalls({ dynamodb, sqs, sfn, s3 }: Calls): Record<string, number> {
  const counted = Object.entries({ ...dynamodb, ...sqs, ...sfn, ...s3 });
  return Object.fromEntries(counted.filter(([call]) => !others.has(call)));
}

function assertCalls(
  calls: Calls,
  { sides, samples }: { sides: readonly Record<string, number>[]; samples: number },
): void {
  const counted = requestCalls(calls);
  const wanted: Record<string, number> = {};
  for (const [call, count] of sides.flatMap(Object.entries<number>)) {
    wanted[call] = (wanted[call] ?? 0) + count * samples;
  }
  if (isDeepStrictEqual(counted, wanted)) return;
  throw new Error(`${samples} pairs should make ${JSON.stringify(wanted)}, but made ${JSON.stringify(counted)}`);
}
