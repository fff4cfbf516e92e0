import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, type ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import type { Quotas } from './quotas.ts';

/**
 * Reads an account's quotas in the region of the clients.
 *
 * @throws the error of AWS, where the credentials may not read them
 */
export async function readQuotas({
  lambda,
  serviceQuotas,
}: {
  lambda: LambdaClient;
  serviceQuotas: ServiceQuotasClient;
}): Promise<Quotas> {
  const [{ AccountLimit }, gateway] = await Promise.all([
    lambda.send(new GetAccountSettingsCommand({})),
    quotasOf(serviceQuotas, 'apigateway'),
  ]);
  return {
    concurrentExecutions: AccountLimit?.ConcurrentExecutions,
    requestsPerSecond: gateway.get('Throttle rate'),
    requestBurst: gateway.get('Throttle burst rate'),
  };
}

async function quotasOf(client: ServiceQuotasClient, ServiceCode: string): Promise<Map<string, number>> {
  const quotas = new Map<string, number>();
  for await (const { Quotas: page = [] } of paginateListServiceQuotas({ client }, { ServiceCode })) {
    for (const { QuotaName, Value } of page) {
      if (QuotaName !== undefined && Value !== undefined) quotas.set(QuotaName, Value);
    }
  }
  return quotas;
}
