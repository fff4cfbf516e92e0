import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { readQuotas } from '../../../../lib/operator/preflight/read-quotas.ts';

const clients = {
  lambda: new LambdaClient({ region: 'eu-central-1' }),
  serviceQuotas: new ServiceQuotasClient({ region: 'eu-central-1' }),
};

it('quotas are read from all pages by their AWS names', async () => {
  mockClient(clients.lambda)
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 840 } })
    .on(GetFunctionConcurrencyCommand)
    .rejects(new ResourceNotFoundException({ message: 'not found', $metadata: {} }))
    .on(GetFunctionConcurrencyCommand, { FunctionName: 'media-jobs-dev-transcode' })
    .resolves({ ReservedConcurrentExecutions: 60 });
  mockClient(clients.serviceQuotas)
    .on(ListServiceQuotasCommand, { ServiceCode: 'apigateway' })
    .resolves({ Quotas: [{ QuotaName: 'Throttle rate', Value: 2500 }], NextToken: 'next' })
    .on(ListServiceQuotasCommand, { ServiceCode: 'apigateway', NextToken: 'next' })
    .resolves({ Quotas: [{ QuotaName: 'Throttle burst rate', Value: 1250 }, { QuotaName: 'Nameless' }] })
    .on(ListServiceQuotasCommand, { ServiceCode: 'fargate' })
    .resolves({
      Quotas: [
        { QuotaName: 'Fargate On-Demand vCPU resource count', Value: 6 },
        { QuotaName: 'Fargate Spot vCPU resource count', Value: 4 },
      ],
    });

  expect(await readQuotas(clients, 'dev')).toEqual({
    concurrentExecutions: 1000,
    // What this stage reserves is available to it.
    availableExecutions: 900,
    requestsPerSecond: 2500,
    requestBurst: 1250,
    fargateVcpus: 6,
    fargateSpotVcpus: 4,
  });
});

it('a quota that AWS does not return is undefined', async () => {
  mockClient(clients.lambda).on(GetAccountSettingsCommand).resolves({}).on(GetFunctionConcurrencyCommand).resolves({});
  mockClient(clients.serviceQuotas).on(ListServiceQuotasCommand).resolves({ Quotas: [] });
  expect(await readQuotas(clients, 'dev')).toEqual({
    concurrentExecutions: undefined,
    availableExecutions: undefined,
    requestsPerSecond: undefined,
    requestBurst: undefined,
    fargateVcpus: undefined,
    fargateSpotVcpus: undefined,
  });
});
