import { setTimeout as sleep } from 'node:timers/promises';
import { type Mutant, soon } from './mutant.ts';
import { aProxyResponse } from './mutation.ts';
import type { Mutation, ProxyResponse } from './proxy.ts';

const isSuccess = ({ status }: ProxyResponse) => status >= 200 && status < 300;

/** Repeats a webhook at once after the nth attempt with this outcome. */
function again(nth: number, when: (response: ProxyResponse) => boolean): () => Mutation {
  return () => {
    const attempts = new Map<string, number>();
    return async (request, forward) => {
      const attempt = (attempts.get(request.path) ?? 0) + 1;
      attempts.set(request.path, attempt);
      const response = await forward(request);
      return attempt === nth && when(response) ? forward(request) : response;
    };
  };
}

/** Turns the nth failure of a URL into a success. */
function givesUpAfter(failures: number): () => Mutation {
  return () => {
    const failed = new Map<string, number>();
    return async (request, forward) => {
      const response = await forward(request);
      const count = (failed.get(request.path) ?? 0) + (isSuccess(response) ? 0 : 1);
      failed.set(request.path, count);
      return count === failures ? aProxyResponse(200) : response;
    };
  };
}

/** Delays the nth attempt by five seconds. */
function late(nth: number): Pick<Mutant, 'webhooks' | 'timeouts'> {
  return {
    webhooks: () => {
      const attempts = new Map<string, number>();
      return async (request, forward) => {
        const attempt = (attempts.get(request.path) ?? 0) + 1;
        attempts.set(request.path, attempt);
        if (attempt === nth) await sleep(5_000);
        return forward(request);
      };
    },
    timeouts: { immediatelyMs: 2_000 },
  };
}

const fourth = {
  how: 'makes a fourth attempt',
  found: /always fails received 4 webhooks instead of 3/,
  webhooks: again(3, (response) => !isSuccess(response)),
};

export const deliveryMutants: Mutant[] = [
  {
    breaks: 'delivery.1',
    how: 'retries after a success',
    found: /returned 2xx received 2 webhooks instead of 1/,
    webhooks: again(1, isSuccess),
  },
  {
    breaks: 'delivery.2.non-2xx',
    how: 'does not retry',
    found: /1 of 2 webhooks arrived/,
    webhooks: givesUpAfter(1),
    timeouts: soon,
  },
  {
    breaks: 'delivery.2.unreachable',
    how: 'does not retry an unreachable target',
    found: /1 of 2 webhooks arrived/,
    webhooks: () => (request, forward) => forward(request).catch(() => aProxyResponse(200)),
    timeouts: soon,
  },
  {
    breaks: 'delivery.2.attempt-1',
    how: 'delays the first attempt',
    found: /attempt 1 arrived \d+ ms after the job was seen to end/,
    ...late(1),
  },
  {
    breaks: 'delivery.2.attempt-2',
    how: 'retries at once',
    found: /attempt 2 arrived \d+ ms after the previous one/,
    webhooks: again(1, (response) => !isSuccess(response)),
  },
  {
    breaks: 'delivery.2.attempt-3',
    how: 'waits less than a second before the third attempt',
    found: /attempt 3 arrived \d+ ms after the previous one/,
    webhooks: again(2, (response) => !isSuccess(response)),
  },
  {
    breaks: 'delivery.2.attempt-2',
    how: 'waits for seconds before the second attempt',
    found: /attempt 2 arrived \d{4,} ms after the previous one/,
    ...late(2),
  },
  {
    breaks: 'delivery.2.attempt-3',
    how: 'waits for seconds before the third attempt',
    found: /attempt 3 arrived \d{4,} ms after the previous one/,
    ...late(3),
  },
  { breaks: 'delivery.3', ...fourth },
  {
    breaks: 'limits.attempts',
    how: 'makes two attempts',
    found: /2 of 3 webhooks arrived/,
    webhooks: givesUpAfter(2),
    timeouts: soon,
  },
  {
    breaks: 'limits.delays',
    how: 'waits less than a second before the third attempt',
    found: /attempt 3 arrived \d+ ms after the previous one/,
    webhooks: again(2, (response) => !isSuccess(response)),
  },
];
