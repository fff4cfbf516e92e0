import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { aWebServer } from '@media-jobs/testing/web-server';
import { expect, it } from 'vitest';
import { raiseConcurrency } from '../../../../lib/operator/preflight/read-quotas.ts';

/** What the SDK sends by its schema, and the sentence about an answer. */
async function raised(status: number, answer: object) {
  const requests: { target: unknown; body: unknown }[] = [];
  const server = await aWebServer(({ headers, body }, response) => {
    requests.push({ target: headers['x-amz-target'], body: JSON.parse(body.toString()) });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
  });
  const credentials = { accessKeyId: 'A', secretAccessKey: 'S' };
  const client = new ServiceQuotasClient({ region: 'eu-central-1', endpoint: server.origin, credentials });
  return { sentence: await raiseConcurrency(client, 1000), requests };
}

it('asks for the concurrent executions of functions', async () => {
  const { sentence, requests } = await raised(200, { RequestedQuota: { Id: 'abc', Status: 'PENDING' } });
  expect(requests).toEqual([
    {
      target: 'ServiceQuotasV20190624.RequestServiceQuotaIncrease',
      body: { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384', DesiredValue: 1000 },
    },
  ]);
  expect(sentence).toBe('AWS was asked for 1000 concurrent executions: request abc, PENDING. It may take days.');
});

it('knows a request that is open', async () => {
  const { sentence } = await raised(400, { __type: 'ResourceAlreadyExistsException', message: 'open' });
  expect(sentence).toBe('AWS already has a request for more concurrent executions.');
});
