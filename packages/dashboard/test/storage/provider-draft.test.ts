import {
  createStorageProviderContract,
  findProviderProblems,
  getStorageProviderContract,
  providerKinds,
  updateStorageProviderContract,
} from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import {
  draftFromProvider,
  draftToProviderRequest,
  emptyDraft,
  missingFields,
  type ProviderDraft,
  withKind,
} from '../../src/storage/provider-draft.ts';

const { example } = getStorageProviderContract.responses[200];
const filled: ProviderDraft = {
  ...emptyDraft,
  name: 'Archive',
  bucket: 'archive',
  prefix: 'videos/',
  accessType: 'keys',
  accessKeyId: 'AKIA1',
  secretAccessKey: 'secret',
};
const endpoints: Record<string, string> = {
  r2: `https://${'0123456789abcdef'.repeat(2)}.r2.cloudflarestorage.com`,
  's3-compatible': 'https://storage.example.com',
};

describe('the form of a storage provider', () => {
  it.each(providerKinds)('of the kind %s has all fields that the API requires, and sends no others', (kind) => {
    const draft = { ...withKind(filled, kind), region: 'eu-central-1', endpoint: endpoints[kind] ?? '' };
    expect(missingFields(draft, false)).toEqual([]);
    const request = createStorageProviderContract.body.parse(draftToProviderRequest(draft));
    expect(findProviderProblems(request)).toEqual([]);
    const empty = withKind(filled, kind);
    const problems = findProviderProblems(draftToProviderRequest(empty)).map(({ path }) => path);
    expect(missingFields(empty, false)).toEqual(problems.toSorted().toReversed());
  });

  it('of another kind than s3 has no role', () => {
    expect(withKind({ ...emptyDraft, accessType: 'role' }, 'b2').accessType).toBe('keys');
  });

  it('needs a secret unless one is stored, and then keeps that', () => {
    const draft = { ...filled, region: 'us-east-1', secretAccessKey: '' };
    expect(missingFields(draft, false)).toEqual(['secret access key']);
    expect(missingFields(draft, true)).toEqual([]);
    const { access } = updateStorageProviderContract.body.parse(draftToProviderRequest(draft));
    expect(access).toEqual({ type: 'keys', accessKeyId: 'AKIA1' });
  });

  it('filled with a stored provider sends its settings again', () => {
    const { name, kind, bucket, region, prefix } = example;
    const access = { type: 'role', roleArn: example.access.roleArn };
    const request = JSON.parse(JSON.stringify(draftToProviderRequest(draftFromProvider(example))));
    expect(request).toEqual({ name, kind, bucket, region, prefix, access });
  });
});
