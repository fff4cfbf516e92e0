/** The account and region that every local resource lives in. fauxqs knows queues of this account only. */
export const account = '000000000000';
export const region = 'us-east-1';
export const partition = 'aws';

/** The Amazon resource name of a local resource: `arn('sqs', 'jobs')`. */
export function arn(service: string, resource: string): string {
  return `arn:${partition}:${service}:${region}:${account}:${resource}`;
}

/** The function name inside a Lambda ARN; a bare name is returned as it is. */
export function functionNameOf(nameOrArn: string): string {
  return /:function:([^:/]+)/.exec(nameOrArn)?.[1] ?? nameOrArn;
}
