import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';

export type Load = {
  request: { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** Whether a slow answer may delay its connection's next request: nothing is measured while sandboxes start. */
  warmsUp?: boolean;
};

/**
 * Requests at a fixed rate, independent of the answers' times: autocannon on `rate` connections with one request a
 * second each, started at even intervals. Returns the milliseconds of each answer.
 *
 * @throws Error if an answer is not 2xx, or is so slow that its connection's next request had to wait
 */
export async function openLoop({ request, rate, seconds, warmsUp = false }: Load): Promise<number[]> {
  const times: number[] = [];
  const connections = Array.from({ length: rate }, async (_, index) => {
    await setTimeout((index * 1000) / rate);
    const { non2xx, errors, statusCodeStats } = await oneASecond(request, seconds, (ms) => times.push(ms));
    if (non2xx + errors === 0) return;
    const statuses = Object.keys(statusCodeStats ?? {}).join(', ');
    throw new Error(`${request.url}: ${non2xx} refusals (statuses ${statuses}) and ${errors} broken connections`);
  });
  await Promise.all(connections);
  const slowest = Math.max(...times);
  if (slowest >= 1000 && !warmsUp)
    throw new Error(
      `An answer took ${slowest.toFixed(0)} ms, so the next request was late and the rate was not kept. Run the benchmark again.`,
    );
  return times;
}

function oneASecond(
  request: Load['request'],
  amount: number,
  onAnswer: (ms: number) => void,
): Promise<autocannon.Result> {
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options = { ...request, connections: 1, overallRate: 1, amount, ignoreCoordinatedOmission: true };
  const instance = autocannon(options, (error: unknown, result) => (error ? reject(error) : resolve(result)));
  instance.on('response', (_client, _status, _bytes, ms) => onAnswer(ms));
  return promise;
}
