import { compile, type JSONSchema } from 'json-schema-to-typescript';

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
export type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: { schemas: Schema } };

/** Declarations that replace those of `packages/client/src/operation.ts`, which are of zod and the contracts. */
const operationTypes = `
export type OperationRequest<Id extends keyof Operations> = Operations[Id]['request'] & { signal?: AbortSignal };
export type OperationResponse<Id extends keyof Operations> = Operations[Id]['response'];
export type OperationResult<Id extends keyof Operations> = Exclude<OperationResponse<Id>, { status: 304 }>['body'];
`;

/** The types of all operations as a module without imports, from the OpenAPI document. */
export async function apiTypes(document: ApiDocument): Promise<string> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const schema = {
    ...objectOf(Object.fromEntries(operations.map((operation) => [operation.operationId, operationOf(operation)]))),
    $defs: document.components.schemas,
  };
  const local = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as JSONSchema;
  const options = {
    bannerComment: '',
    format: false,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  };
  const types = await compile(local, 'Operations', options);
  return withoutOrigins(types) + operationTypes;
}

function operationOf({ parameters = [], requestBody, responses }: Operation): Schema {
  const request: Record<string, Schema> = {};
  for (const [name, location] of [
    ['params', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ] as const) {
    const own = parameters.filter((parameter) => parameter.in === location);
    const required = own.filter((parameter) => parameter.required).map((parameter) => parameter.name);
    const fields = Object.fromEntries(own.map((parameter) => [parameter.name, parameter.schema]));
    if (own.length > 0) request[name] = objectOf(fields, required);
  }
  const [body] = Object.values(requestBody?.content ?? {});
  if (body !== undefined) request.body = body.schema;
  const required = Object.keys(request).filter((name) => name === 'params' || name === 'body');
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  return objectOf({ request: objectOf(request, required), response: { oneOf: successes.map(responseOf) } });
}

function responseOf([status, { content = {} }]: [string, { content?: Content }]): Schema {
  const [body] = Object.values(content);
  return objectOf({
    status: { const: Number(status) },
    headers: { tsType: 'Headers' },
    body: body?.schema ?? { tsType: 'undefined' },
  });
}

function objectOf(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Removes the comments that only say where a type is from. */
function withoutOrigins(types: string): string {
  return types.replaceAll(/\/\*\*\n \* This interface was referenced by [\s\S]*?\*\/\n/g, '');
}
