import { type Clause, section } from '../clause.ts';
import { expectOwnKeyForm } from './api-keys.ts';
import { expectAbandonedAfterThree, expectRetryDelays } from './delivery.ts';

export const limits: Clause[] = section('Limits', [
  {
    id: 'limits.key-length',
    sentence: 'API key length | 52 characters',
    check: expectOwnKeyForm,
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
