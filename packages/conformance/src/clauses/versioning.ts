import { type Clause, section } from '../clause.ts';
import { expect } from '../expectation.ts';
import { expectSuccess } from '../http/call.ts';

export const versioning: Clause[] = section('Versioning', [
  {
    id: 'versioning.prefix',
    sentence: 'The API version is carried in the path prefix `/api/v1`.',
    check: async ({ api }) => {
      expectSuccess(await api('GET', '/api/v1/settings'));
      for (const path of ['/settings', '/api/settings', '/api/v2/settings']) {
        const { status, headers } = await api('GET', path);
        const isApi = status === 200 && (headers.get('content-type') ?? '').includes('json');
        expect(!isApi, `${path} responds like the API`);
      }
    },
  },
]);
