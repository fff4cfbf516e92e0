import type * as z from 'zod';
import type { Service } from '../emulators/traffic.ts';

/** The local name of a resource, and the endpoints of the emulators. */
export type LocalResource = { name: string; endpoints: Endpoints };

/** Base URLs of the emulators and the HTTP API, `http://127.0.0.1:<port>`. */
export type Endpoints = Record<Service | 'api', string>;

/** How the local stage reads a resource type. */
export type ResourceKind<Schema extends z.ZodType = z.ZodType> = {
  type: string;
  /** The property with the name of the resource. Without a value, the name derives from the logical id. */
  nameProperty?: string;
  /** The supported properties. The schema is strict: any other property stops the stage. */
  properties: Schema;
  /** Properties without effect here, each with the reason. */
  ignored?: Record<string, string>;
  /** Result of `Ref`; without it, the name. */
  ref?(resource: LocalResource): string;
  /** Results of `Fn::GetAtt` by attribute. */
  attributes?: Record<string, (resource: LocalResource) => string>;
};

/** Infers the type of the schema. */
export function resourceKind<Schema extends z.ZodType>(kind: ResourceKind<Schema>): ResourceKind<Schema> {
  return kind;
}

/** Common reasons to ignore a property. */
export const ignoreReasons = {
  noEncryption: 'data is not encrypted here',
  singleLog: 'all logs go to the terminal here',
};
