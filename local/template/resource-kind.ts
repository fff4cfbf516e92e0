import type * as z from 'zod';

/** What a reference to a resource resolves to: its name here, and where the emulators answer. */
export type LocalResource = { name: string; endpoints: Endpoints };

/** Base URLs of the emulators and of the HTTP API, `http://127.0.0.1:<port>`. */
export type Endpoints = { dynamodb: string; sqs: string; s3: string; sfn: string; api: string };

/** How the local stage reads one type of resource. */
export type ResourceKind<Schema extends z.ZodType = z.ZodType> = {
  type: string;
  /** The property that names the resource; without it, or when it is unset, a name is derived from the logical id. */
  nameProperty?: string;
  /** Every property that decides behaviour here. Strict: any other stops the stage. */
  properties: Schema;
  /** Properties read by AWS alone, each with the reason why leaving it out changes nothing here. */
  ignored: Record<string, string>;
  /** What `Ref` gives. */
  ref(address: LocalResource): string;
  /** What `Fn::GetAtt` gives, by attribute. */
  attributes: Record<string, (address: LocalResource) => string>;
};

/** Keeps the type of a kind's schema. */
export function resourceKind<Schema extends z.ZodType>(kind: ResourceKind<Schema>): ResourceKind<Schema> {
  return kind;
}

/** Reasons that several kinds share for ignoring a property. */
export const ignoreReasons = {
  noPermissions: 'permissions are not enforced here',
  noEncryption: 'data lies unencrypted on this machine',
  noTracing: 'there is no X-Ray here',
  oneLog: 'everything is logged to one place here',
  description: 'a description',
};
