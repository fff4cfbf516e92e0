import { type Check, expect, type Target } from './check.ts';
import { expectError } from './conformance.ts';

const allowed = ['authorization', 'content-type', 'x-api-key'];

/** Who may call, and from where. */
export const access: Check[] = [
  {
    name: 'refuses a call without a key, and one with an altered key',
    async run({ baseUrl, apiKey }) {
      await expectError(await fetch(`${baseUrl}/api/v1/jobs`), 401, 'UNAUTHORIZED');
      const headers = { 'x-api-key': `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}` };
      await expectError(await fetch(`${baseUrl}/api/v1/jobs`, { headers }), 401, 'UNAUTHORIZED');
    },
  },
  {
    name: 'answers preflights with exactly the headers that are documented',
    async run({ baseUrl, origin }) {
      const answer = await fetch(`${baseUrl}/api/v1/jobs`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': allowed.join(','),
        },
      });
      expect(answer.ok, `The preflight was answered with ${answer.status}.`);
      const told = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/\s*,\s*/);
      expect(told.toSorted().join() === allowed.join(), `It allows ${told.join(', ')}.`);
      expectOrigin(answer, origin);
    },
  },
  {
    name: 'lets pages of the allowed origin read its errors',
    async run({ baseUrl, origin }) {
      for (const path of ['/api/v1/jobs', '/api/v1/nothing']) {
        expectOrigin(await fetch(baseUrl + path, { headers: { origin } }), origin);
      }
    },
  },
  { name: 'serves the dashboard with its security policy', run: servesDashboard },
];

function expectOrigin(answer: Response, origin: string): void {
  const told = answer.headers.get('access-control-allow-origin');
  expect(
    told === '*' || told === origin,
    `${answer.url} answered ${answer.status} with the allowed origin ${told}, and not for ${origin}: where dashboardOrigin is set, give it by --origin.`,
  );
}

async function servesDashboard({ baseUrl, hasDashboard }: Target): Promise<void> {
  if (!hasDashboard) return;
  for (const path of ['/app', '/app/', '/app/jobs/any']) {
    const page = await fetch(baseUrl + path);
    const isPage = page.status === 200 && page.headers.get('content-type')?.startsWith('text/html') === true;
    expect(isPage, `${path} answered ${page.status} ${page.headers.get('content-type')}.`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(
      policy.includes("script-src 'self'"),
      `${path} has no security policy that forbids other scripts.`,
    );
  }
  const config = await fetch(`${baseUrl}/app/config.json`);
  expect(
    config.ok && Object.hasOwn((await config.json()) as object, 'clientId'),
    '/app/config.json does not name a client.',
  );
}
