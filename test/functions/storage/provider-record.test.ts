import { describe, expect, it } from 'vitest';
import type { StorageProviderRequest } from '../../../core/api/storage-provider.ts';
import { AppError } from '../../../core/errors.ts';
import { assertAllowedProvider } from '../../../functions/storage/provider-record.ts';

const trustedStage = { accountId: '444455556666', partition: 'aws', namePrefix: 'media-jobs-test' };
const endpointRules = { schemes: ['https'], reachable: [] } as const;

function problemsOf(request: Partial<StorageProviderRequest>): AppError['details'] {
  const access = { type: 'role', roleArn: 'arn:aws:iam::111122223333:role/results' } as const;
  const location = { name: 'Ours', kind: 's3', bucket: 'results', region: 'eu-central-1' } as const;
  try {
    assertAllowedProvider({ ...location, access, ...request }, { endpointRules, trustedStage });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
}

describe('the prefix of a provider by role', () => {
  it.each([
    ['400 letters', 'a'.repeat(400)],
    ['80 characters outside Latin-1', '映像'.repeat(40)],
    ['100 characters with a meaning in patterns', '$'.repeat(100)],
  ])('may have %s', (_, prefix) => expect(problemsOf({ prefix })).toBeUndefined());

  it.each([
    ['150 characters outside Latin-1', '映'.repeat(150), 2380],
    ['200 characters with a meaning in patterns', '$'.repeat(200), 2180],
  ])('is rejected with %s: its session policy is longer than AWS accepts', (_, prefix, length) => {
    const message = `is too long for a role: its session policy has ${length} characters, and AWS accepts 2048`;
    expect(problemsOf({ prefix })).toEqual([{ path: 'prefix', message }]);
  });

  it('may be longer with keys, which have no session policy', () => {
    const access = { type: 'keys', accessKeyId: 'A'.repeat(20) } as const;
    expect(problemsOf({ prefix: '$'.repeat(400), access })).toBeUndefined();
  });
});
