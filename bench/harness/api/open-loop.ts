import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';

export type Load = {
  request: { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** Whether an answer may hold up its connection's next request: while sandboxes start, nothing is measured. */
  warmsUp?: boolean;
};

/**
 * Requests at a fixed rate, whatever the answers take: autocannon on as many connections, each with one request a
 * second, begun one after the other so that requests come evenly. Returns the milliseconds of each answer.
 *
 * @throws Error for an answer that is no success, or took so long that its connection's next request had to wait
 */
export async function openLoop({ request, rate, seconds, warmsUp = false }: Load): Promise<number[]> {
  const times: number[] = [];
  const connections = Array.from({ length: rate }, async (_, index) => {
    await setTimeout((index * 1000) / rate);
    const { non2xx, errors, statusCodeStats } = await oneASecond(request, seconds, (ms) => times.push(ms));
    if (non2xx + errors === 0) return;
    const statuses = Object.keys(statusCodeStats ?? {}).join(', ');
    throw new Error(
      `${request.url}: ${non2xx} refusals (statuses ${statuses}) and ${errors} broken connections`,
    );
  });
  await Promise.all(connections);
  const slowest = Math.max(...times);
  if (slowest >= 1000 && !warmsUp)
    throw new Error(`An answer took ${slowest.toFixed(0)} ms: the rate was not kept`);
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
