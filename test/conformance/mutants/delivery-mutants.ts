import { setTimeout as sleep } from 'node:timers/promises';
import { type Mutant, soon } from './mutant.ts';
import { answerOf } from './mutation.ts';
import type { HttpAnswer, Mutation } from './proxy.ts';

const isSuccess = ({ status }: HttpAnswer) => status >= 200 && status < 300;

/** Sends a webhook again at once when its nth attempt went so. */
function again(nth: number, when: (answer: HttpAnswer) => boolean): () => Mutation {
  return () => {
    const attempts = new Map<string, number>();
    return async (request, forward) => {
      const attempt = (attempts.get(request.path) ?? 0) + 1;
      attempts.set(request.path, attempt);
      const answer = await forward(request);
      return attempt === nth && when(answer) ? forward(request) : answer;
    };
  };
}

/** Takes the nth failure of an address for a success. */
function givesUpAfter(failures: number): () => Mutation {
  return () => {
    const failed = new Map<string, number>();
    return async (request, forward) => {
      const answer = await forward(request);
      const count = (failed.get(request.path) ?? 0) + (isSuccess(answer) ? 0 : 1);
      failed.set(request.path, count);
      return count === failures ? answerOf(200) : answer;
    };
  };
}

/** Holds the nth attempt up for five seconds, which a caller who is impatient notices. */
function late(nth: number): Pick<Mutant, 'webhooks' | 'patience'> {
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
    patience: { immediatelyMs: 2_000 },
  };
}

const fourth = {
  how: 'tries a fourth time',
  found: /always fails was sent 4 webhooks, not 3/,
  webhooks: again(3, (answer) => !isSuccess(answer)),
};

export const deliveryMutants: Mutant[] = [
  {
    breaks: 'delivery.1',
    how: 'tries again after a success',
    found: /answered 2xx was sent 2 webhooks, not 1/,
    webhooks: again(1, isSuccess),
  },
  {
    breaks: 'delivery.2.non-2xx',
    how: 'does not try again',
    found: /1 of 2 webhooks had come/,
    webhooks: givesUpAfter(1),
    patience: soon,
  },
  {
    breaks: 'delivery.2.unreachable',
    how: 'does not try again where nobody answers',
    found: /1 of 2 webhooks had come/,
    webhooks: () => (request, forward) => forward(request).catch(() => answerOf(200)),
    patience: soon,
  },
  {
    breaks: 'delivery.2.attempt-1',
    how: 'waits before the first attempt',
    found: /attempt 1 came \d+ ms after the job was seen to end/,
    ...late(1),
  },
  {
    breaks: 'delivery.2.attempt-2',
    how: 'tries again at once',
    found: /attempt 2 came \d+ ms after the one before/,
    webhooks: again(1, (answer) => !isSuccess(answer)),
  },
  {
    breaks: 'delivery.2.attempt-3',
    how: 'does not wait for a second before the third attempt',
    found: /attempt 3 came \d+ ms after the one before/,
    webhooks: again(2, (answer) => !isSuccess(answer)),
  },
  {
    breaks: 'delivery.2.attempt-2',
    how: 'waits for seconds before the second attempt',
    found: /attempt 2 came \d{4,} ms after the one before/,
    ...late(2),
  },
  {
    breaks: 'delivery.2.attempt-3',
    how: 'waits for seconds before the third attempt',
    found: /attempt 3 came \d{4,} ms after the one before/,
    ...late(3),
  },
  { breaks: 'delivery.3', ...fourth },
  {
    breaks: 'limits.attempts',
    how: 'tries twice',
    found: /2 of 3 webhooks had come/,
    webhooks: givesUpAfter(2),
    patience: soon,
  },
  {
    breaks: 'limits.delays',
    how: 'does not wait for a second before the third attempt',
    found: /attempt 3 came \d+ ms after the one before/,
    webhooks: again(2, (answer) => !isSuccess(answer)),
  },
];
