import { type Clause, section } from '../clause.ts';
import { expectSuccess } from '../http/call.ts';
import { expectKeyForm } from './api-keys.ts';
import { expectAbandonedAfterThree, expectRetryDelays } from './delivery.ts';

export const limits: Clause[] = section('Limits', [
  {
    id: 'limits.key-length',
    sentence: 'API key length | 52 characters',
    check: async ({ api, target: { apiKey } }) => {
      expectSuccess(await api('GET', '/api/v1/jobs'));
      expectKeyForm(apiKey, 'the key of this run');
    },
  },
  {
    id: 'limits.attempts',
    sentence: 'Webhook delivery attempts | 3 in total',
    needs: ['receiver'],
    check: expectAbandonedAfterThree,
  },
  {
    id: 'limits.delays',
    sentence: 'Webhook retry delays | immediate, 500 ms, 1 second',
    needs: ['receiver'],
    check: expectRetryDelays,
  },
]);
