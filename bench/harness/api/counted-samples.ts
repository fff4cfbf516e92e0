import type { Calls } from '@media-jobs/local-stage/emulators';
import type { Samples } from '../figures/median-ratio.ts';
import type { Side } from '../figures/pairs.ts';
import type { HostedStage } from '../stage/hosted-stage.ts';

type Compared = {
  subject: () => Promise<unknown>;
  baseline: Side;
  /** The calls that each side makes, by operation. */
  calls: Record<string, number>;
};

type Measured = {
  stage: HostedStage;
  print: (line: string) => void;
  warmUps: number;
  samples: number;
};

/**
 * Measures a request and its bare calls alternately, in milliseconds.
 *
 * @throws Error if the emulators have counted other calls than `calls`
 */
export async function countedSamples(
  name: string,
  { subject, baseline, calls }: Compared,
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
  assertCalls(await stage.takeCalls(), { calls, requests: 2 * samples });
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

function assertCalls(
  { dynamodb, sqs, sfn, s3 }: Calls,
  { calls, requests }: { calls: Record<string, number>; requests: number },
): void {
  const counted = Object.entries({ ...dynamodb, ...sqs, ...sfn, ...s3 }).filter(
    ([call]) => !others.has(call),
  );
  const wanted = Object.entries(calls).map(([call, count]) => [call, count * requests]);
  if (JSON.stringify(counted.sort()) === JSON.stringify(wanted.sort())) return;
  throw new Error(
    `${requests} requests should make ${JSON.stringify(wanted)}, but made ${JSON.stringify(counted)}`,
  );
}
