import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, type ServiceQuotasClient } from '@aws-sdk/client-service-quotas';

/**
 * Reads the quotas of an account in the region of the clients.
 *
 * @throws the error of the AWS SDK, such as AccessDeniedException
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

/** Quotas of an account in a region; undefined if AWS does not return one. */
export type Quotas = {
  /** Concurrency of all functions together. */
  concurrentExecutions: number | undefined;
  /** API requests per second, over all APIs. */
  requestsPerSecond: number | undefined;
  /** API requests in a burst. */
  requestBurst: number | undefined;
};

const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'AWS credentials are missing: set AWS_PROFILE, or sign in with "aws sso login".',
  ExpiredToken: 'The AWS credentials have expired: sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired: sign in again.',
  UnrecognizedClientException:
    'AWS does not know these credentials. They may be deleted, or belong to another partition.',
  AccessDeniedException:
    'These credentials cannot read the quotas: allow lambda:GetAccountSettings and servicequotas:ListServiceQuotas.',
};

/** Explains to the operator why the quotas could not be read and what to do; otherwise the message of AWS. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message === 'Region is missing') {
    return 'The region is missing: set "region" of the stage in cdk.json, or AWS_REGION.';
  }
  const known = advice[error.name];
  return known === undefined ? error.message : `${known} (${error.message})`;
}
