import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expect } from '../expectation.ts';
import type { ApiResponse, Call } from '../http/call.ts';

const headerNames = ['authorization', 'content-type', 'x-api-key'];
const stranger = 'https://stranger.example';

export const crossOrigin: Clause[] = section('Authentication, cross-origin requests', [
  {
    id: 'authentication.6.configured',
    sentence: 'Cross-origin (browser) requests: allowed from the configured dashboard origin (a deployment setting).',
    check: async (run) => {
      await expectAllowed(run, ownOrigin(run));
      if (run.target.origin === undefined) return;
      for (const response of await fromOrigin(run.anonymous, stranger)) {
        expect(!allows(response, stranger), `${response.request} lets pages of any origin read it`);
      }
    },
  },
  {
    id: 'authentication.6.any',
    sentence: 'When no origin is configured, all origins are allowed.',
    needs: ['no-origin'],
    check: (run) => expectAllowed(run, stranger),
  },
  {
    id: 'authentication.7',
    sentence: 'Headers accepted in cross-origin requests: `Authorization`, `Content-Type`, `X-API-KEY`.',
    check: async (run) => {
      const [, , preflight] = await fromOrigin(run.anonymous, ownOrigin(run));
      const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
      const accepted = allowed.toLowerCase().split(/\s*,\s*/);
      expect(accepted.toSorted().join() === headerNames.join(), `accepted are the headers ${allowed}`);
    },
  },
]);

/** The dashboard origin: the configured one, else that of the stage. */
function ownOrigin({ target: { origin, baseUrl } }: SuiteRun): string {
  return origin ?? new URL(baseUrl).origin;
}

async function expectAllowed({ anonymous }: SuiteRun, origin: string): Promise<void> {
  for (const response of await fromOrigin(anonymous, origin)) {
    const allowed = response.headers.get('access-control-allow-origin');
    expect(allows(response, origin), `${response.request} allows the origin ${allowed}, not ${origin}`);
  }
}

function allows({ headers }: ApiResponse, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

/** Responses to a page of an origin: to a request, to one for an unknown path, and to a preflight. */
function fromOrigin(anonymous: Call, origin: string): Promise<[ApiResponse, ApiResponse, ApiResponse]> {
  const preflightHeaders = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': headerNames.join(','),
  };
  return Promise.all([
    anonymous('GET', '/api/v1/jobs', { headers: { origin } }),
    anonymous('GET', '/api/v1/nothing', { headers: { origin } }),
    anonymous('OPTIONS', '/api/v1/jobs', { headers: { origin, ...preflightHeaders } }),
  ]);
}
