import { errorBodySchema } from '../../core/api/error-body.ts';
import { contracts } from '../../core/api/registry.ts';
import { type Check, expect } from './check.ts';

/** Whether the answers are those of the contracts: what they say is read by their schemas. */
export const conformance: Check[] = [
  {
    name: 'serves the OpenAPI document of this version',
    async run({ baseUrl }) {
      const document = (await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json()) as { paths?: object };
      const missing = contracts
        .filter(({ path }) => !Object.hasOwn(document.paths ?? {}, path))
        .map(({ id }) => id);
      expect(missing.length === 0, `It lacks ${missing.join(', ')}: is an older version deployed?`);
    },
  },
  {
    name: 'answers every list and every setting as its contract says',
    async run({ baseUrl, apiKey }) {
      for (const { id, method, path, callers, responses } of contracts) {
        const isRead = method === 'GET' && !path.includes('{');
        if (!isRead || !(callers as readonly string[]).includes('key')) continue;
        const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
        expect(answer.status === 200, `${id} answered ${answer.status}: ${await answer.clone().text()}`);
        responses[200].schema.parse(await answer.json());
      }
    },
  },
  {
    name: 'knows its paths and methods',
    async run({ baseUrl }) {
      const unknown = await fetch(`${baseUrl}/api/v1/nothing`);
      await expectError(unknown, 404, 'NOT_FOUND');
      const other = await fetch(`${baseUrl}/api/v1/jobs`, { method: 'PUT' });
      await expectError(other, 405, 'METHOD_NOT_ALLOWED');
      expect(other.headers.get('allow') !== null, 'Its 405 does not say which methods are allowed.');
    },
  },
];

/** Expects an error in the one shape that every error has. */
export async function expectError(answer: Response, status: number, code: string): Promise<void> {
  const body = await answer.text();
  expect(answer.status === status, `Expected ${status} ${code}, got ${answer.status}: ${body}`);
  const { error } = errorBodySchema.parse(JSON.parse(body));
  expect(error.code === code, `Expected the code ${code}, got ${error.code}.`);
}
