import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import {
  paginateListServiceQuotas,
  RequestServiceQuotaIncreaseCommand,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { namePrefix } from '../../names.ts';

/**
 * Reads the quotas of an account in the region of the clients.
 *
 * @param stage whose own reserved concurrency counts as available
 * @throws the error of the AWS SDK, such as AccessDeniedException
 */
export async function readQuotas(
  { lambda, serviceQuotas }: { lambda: LambdaClient; serviceQuotas: ServiceQuotasClient },
  stage: string,
): Promise<Quotas> {
  const [{ AccountLimit }, ownReserved, gateway, fargate] = await Promise.all([
    lambda.send(new GetAccountSettingsCommand({})),
    reservedConcurrency(lambda, stage),
    quotasOf(serviceQuotas, 'apigateway'),
    quotasOf(serviceQuotas, 'fargate'),
  ]);
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  return {
    concurrentExecutions: AccountLimit?.ConcurrentExecutions,
    availableExecutions: unreserved === undefined ? undefined : unreserved + ownReserved,
    requestsPerSecond: gateway.get('Throttle rate'),
    requestBurst: gateway.get('Throttle burst rate'),
    fargateVcpus: fargate.get('Fargate On-Demand vCPU resource count'),
    fargateSpotVcpus: fargate.get('Fargate Spot vCPU resource count'),
  };
}

/** Concurrency that the functions of a deployed stage reserve; 0 before the first deployment. */
async function reservedConcurrency(lambda: LambdaClient, stage: string): Promise<number> {
  const reserved = ['transcode', 'encode-chunk', 'join-chunks'].map(async (name) => {
    const command = new GetFunctionConcurrencyCommand({ FunctionName: `${namePrefix(stage)}-${name}` });
    const answer = await lambda.send(command).catch((error) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
    return answer?.ReservedConcurrentExecutions ?? 0;
  });
  return (await Promise.all(reserved)).reduce((sum, executions) => sum + executions, 0);
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

/** "Concurrent executions" of AWS Lambda. */
const concurrencyQuota = { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384' };

/** Asks AWS for more concurrent executions of functions. Returns a sentence that says what became of it. */
export async function raiseConcurrency(client: ServiceQuotasClient, value: number): Promise<string> {
  const command = new RequestServiceQuotaIncreaseCommand({ ...concurrencyQuota, DesiredValue: value });
  const { RequestedQuota } = await client.send(command).catch((error: Error) => {
    if (error.name !== 'ResourceAlreadyExistsException') throw error;
    return { RequestedQuota: undefined };
  });
  if (RequestedQuota === undefined) return 'AWS already has a request for more concurrent executions.';
  return `AWS was asked for ${value} concurrent executions: request ${RequestedQuota.Id}, ${RequestedQuota.Status}. It may take days.`;
}

/** Quotas of an account in a region; undefined if AWS does not return one. */
export type Quotas = {
  /** Concurrency of all functions together. */
  concurrentExecutions: number | undefined;
  /** The part of it that no other function reserves. */
  availableExecutions: number | undefined;
  /** API requests per second, over all APIs. */
  requestsPerSecond: number | undefined;
  /** API requests in a burst. */
  requestBurst: number | undefined;
  /** vCPUs of all Fargate tasks together, and of those in Spot capacity. */
  fargateVcpus: number | undefined;
  fargateSpotVcpus: number | undefined;
};

const rejected =
  'AWS rejects these credentials as unknown, in us-east-1 too. They may be deleted, or belong to another partition.';

const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'AWS credentials are missing: set AWS_PROFILE, or sign in with "aws sso login".',
  ExpiredToken: 'The AWS credentials have expired: sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired: sign in again.',
  InvalidClientTokenId: rejected,
  UnrecognizedClientException: rejected,
  AccessDeniedException:
    'These credentials cannot read the quotas: allow lambda:GetAccountSettings, lambda:GetFunctionConcurrency, servicequotas:ListServiceQuotas and ssm:GetParameter.',
};

/** Explains to the operator why the quotas could not be read and what to do; otherwise the message of AWS. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = advice[error.name];
  return known === undefined ? error.message : `${known} (${error.message})`;
}
