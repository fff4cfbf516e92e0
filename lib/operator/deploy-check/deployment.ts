import { isDeepStrictEqual } from 'node:util';
import {
  type Clause,
  expect,
  expectErrorBody,
  expectField,
  expectSuccess,
  type SuiteRun,
  section,
} from '@media-jobs/conformance';
import { defaultScopes } from '../../../core/access/scopes.ts';
import type { Contract } from '../../../core/api/contract.ts';
import { buildOpenApiDocument } from '../../../core/api/openapi/document.ts';
import { contracts, webhooks } from '../../../core/api/registry.ts';

const declared: readonly Contract[] = contracts;

/** Checks of a stage that was deployed from these sources, beyond the specification. */
export const deployment: Clause[] = section('This version', [
  {
    id: 'deployment.openapi',
    sentence: 'The OpenAPI document is that of this version.',
    check: async ({ anonymous }) => {
      const document = expectSuccess(await anonymous('GET', '/api/v1/openapi.json'));
      const paths = expectField(document, 'paths', 'object');
      const missing = declared.filter(({ path }) => !Object.hasOwn(paths, path)).map(({ id }) => id);
      expect(missing.length === 0, `The document lacks ${missing.join(', ')}: an older version may be deployed`);
      const other = differences(document as Json, ofThisVersion as Json);
      expect(other.length === 0, `The document differs in ${other.join(', ')}: another version may be deployed`);
    },
  },
  {
    id: 'deployment.contracts',
    sentence: 'Every list and every setting matches its contract.',
    check: async (run) => {
      const reads = declared.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
      const usual: readonly unknown[] = ['any', ...defaultScopes];
      for (const read of reads.filter(({ callers, scope }) => callers.includes('key') && usual.includes(scope)))
        await checkContract(run, read);
    },
  },
  {
    id: 'deployment.methods',
    sentence: 'An unknown path and an unknown method have different errors.',
    check: async ({ anonymous }) => {
      expectError(await anonymous('GET', '/api/v1/nothing'), 404, 'NOT_FOUND');
      const other = await anonymous('PUT', '/api/v1/jobs');
      expectError(other, 405, 'METHOD_NOT_ALLOWED');
      expect(other.headers.has('allow'), 'The 405 has no Allow header');
    },
  },
  {
    id: 'deployment.dashboard',
    sentence: 'The dashboard is served at all of its paths, with its security policy and configuration.',
    needs: ['dashboard'],
    check: checkDashboard,
  },
]);

type Json = Record<string, object>;

/** As serialized over HTTP. */
const ofThisVersion: object = JSON.parse(JSON.stringify(buildOpenApiDocument({ contracts, webhooks })));

/** The API paths in which two documents differ; if none, their differing top-level keys. */
function differences(found: Json, expected: Json): string[] {
  const differingKeys = (one: Json, other: Json) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (key) => !isDeepStrictEqual(one[key], other[key]),
    );
  const paths = differingKeys(found.paths as Json, expected.paths as Json);
  return paths.length > 0 ? paths : differingKeys(found, expected);
}

async function checkContract({ api }: SuiteRun, { id, path, responses }: Contract): Promise<void> {
  const body = expectSuccess(await api('GET', path));
  const read = responses[200]?.schema?.safeParse(body);
  expect(read?.success !== false, `${id} does not match its contract: ${read?.error?.message}`);
}

function expectError(answer: Awaited<ReturnType<SuiteRun['anonymous']>>, status: number, code: string): void {
  expect(answer.status === status, `${answer.request} answered ${answer.status}, not ${status}`);
  const found = expectErrorBody(answer).code;
  expect(found === code, `${answer.request} answered with the code ${found}, not ${code}`);
}

async function checkDashboard({ anonymous }: SuiteRun): Promise<void> {
  for (const path of ['/app', '/app/', '/app/jobs/any']) {
    const { status, headers } = await anonymous('GET', path);
    const type = headers.get('content-type') ?? 'no type';
    expect(status === 200 && type.startsWith('text/html'), `${path} answered ${status} ${type}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.includes("script-src 'self'"), `${path} has no policy that restricts scripts`);
  }
  const config = expectSuccess(await anonymous('GET', '/app/config.json'));
  expectField(config, 'clientId', 'string');
}
