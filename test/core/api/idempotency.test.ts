import { expect, it } from 'vitest';
import type { Contract } from '../../../core/api/contract.ts';
import { contracts } from '../../../core/api/registry.ts';

const creating = (contracts as readonly Contract[]).filter(
  ({ id, method, responses }) => method === 'POST' && (responses[201] !== undefined || id === 'redeliverJob'),
);

it.each(creating)('$id, which makes something, takes an Idempotency-Key', ({ headers, responses, errors }) => {
  expect(headers?.shape).toHaveProperty('idempotency-key');
  expect((responses[201] ?? responses[202])?.headers).toHaveProperty('Idempotent-Replayed');
  expect(errors).toContain('IDEMPOTENCY_KEY_REUSED');
});
