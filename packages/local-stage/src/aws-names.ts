/** Account and region of all local resources. fauxqs only has queues of this account. */
export const account = '000000000000';
export const region = 'us-east-1';
export const partition = 'aws';

/** The ARN of a local resource: `arn('sqs', 'jobs')`. */
export function arn(service: string, resource: string): string {
  return `arn:${partition}:${service}:${region}:${account}:${resource}`;
}

/** The function name in a Lambda ARN. A plain name is returned as it is. */
export function functionNameOf(nameOrArn: string): string {
  return /:function:([^:/]+)/.exec(nameOrArn)?.[1] ?? nameOrArn;
}

/** Options of an SDK client for an emulator, which checks no key. That of S3 needs `s3Credentials`. */
export function clientOptions(endpoint: string) {
  return { endpoint, region, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
}
