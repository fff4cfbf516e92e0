import { isDeepStrictEqual } from 'node:util';
import { type Clause, section } from '../../conformance/clause.ts';
import { expect, expectField } from '../../conformance/expectation.ts';
import { expectErrorBody, expectSuccess } from '../../conformance/http/expect-response.ts';
import type { SuiteRun } from '../../conformance/run.ts';
import type { Contract } from '../../core/api/contract.ts';
import { buildOpenApiDocument } from '../../core/api/openapi/document.ts';
import { contracts, webhooks } from '../../core/api/registry.ts';

const declared: readonly Contract[] = contracts;

/** What must hold of a stage that was deployed from these sources, beyond the specification. */
export const deployment: Clause[] = section('This version', [
  {
    id: 'deployment.openapi',
    sentence: 'The OpenAPI document is that of this version.',
    check: async ({ anonymous: anyone }) => {
      const document = expectSuccess(await anyone('GET', '/api/v1/openapi.json'));
      const paths = expectField(document, 'paths', 'object');
      const missing = declared.filter(({ path }) => !Object.hasOwn(paths, path)).map(({ id }) => id);
      expect(missing.length === 0, `It lacks ${missing.join(', ')}: is an older version deployed?`);
      const other = differences(document as Json, ofThisVersion as Json);
      expect(other.length === 0, `It differs in ${other.join(', ')}: is another version deployed?`);
    },
  },
  {
    id: 'deployment.contracts',
    sentence: 'Every list and every setting is as its contract says.',
    check: async (run) => {
      const reads = declared.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
      for (const read of reads.filter(({ callers }) => callers.includes('key')))
        await keepsContract(run, read);
    },
  },
  {
    id: 'deployment.methods',
    sentence: 'An unknown path is told from an unknown method.',
    check: async ({ anonymous: anyone }) => {
      expectError(await anyone('GET', '/api/v1/nothing'), 404, 'NOT_FOUND');
      const other = await anyone('PUT', '/api/v1/jobs');
      expectError(other, 405, 'METHOD_NOT_ALLOWED');
      expect(other.headers.has('allow'), 'Its 405 does not say which methods are allowed.');
    },
  },
  {
    id: 'deployment.dashboard',
    sentence: 'The dashboard is served at every path of it, with its security policy and its client.',
    needs: ['dashboard'],
    check: servesDashboard,
  },
]);

type Json = Record<string, object>;

/** As it comes over HTTP. */
const ofThisVersion: object = JSON.parse(JSON.stringify(buildOpenApiDocument({ contracts, webhooks })));

/** The paths of the API where two documents differ; else their parts that do. */
function differences(found: Json, wanted: Json): string[] {
  const unlike = (one: Json, other: Json) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (key) => !isDeepStrictEqual(one[key], other[key]),
    );
  const paths = unlike(found.paths as Json, wanted.paths as Json);
  return paths.length > 0 ? paths : unlike(found, wanted);
}

async function keepsContract({ api }: SuiteRun, { id, path, responses }: Contract): Promise<void> {
  const body = expectSuccess(await api('GET', path));
  const read = responses[200]?.schema?.safeParse(body);
  expect(read?.success !== false, `${id} is not as its contract says: ${read?.error?.message}`);
}

type Answer = Awaited<ReturnType<SuiteRun['anonymous']>>;

function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status === status, `${answer.request} answered ${answer.status}, not ${status}`);
  const found = expectErrorBody(answer).code;
  expect(found === code, `${answer.request} answered with the code ${found}, not ${code}`);
}

async function servesDashboard({ anonymous }: SuiteRun): Promise<void> {
  for (const path of ['/app', '/app/', '/app/jobs/any']) {
    const { status, headers } = await anonymous('GET', path);
    const type = headers.get('content-type') ?? 'no type';
    expect(status === 200 && type.startsWith('text/html'), `${path} answered ${status} ${type}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.includes("script-src 'self'"), `${path} has no policy that forbids other scripts`);
  }
  const config = expectSuccess(await anonymous('GET', '/app/config.json'));
  expectField(config, 'clientId', 'string');
}
