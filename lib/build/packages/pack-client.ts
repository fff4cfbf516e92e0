import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { root } from '../paths.ts';
import { emitDeclarations } from './emit-declarations.ts';
import { packageFolder, packPackage, type Tarball } from './pack-package.ts';

/** Packs `@media-jobs/client`: one module for Node and browsers, and types that need no other package. */
export async function packClient(): Promise<Tarball> {
  const folder = await packageFolder('client');
  await build({
    entryPoints: [path.join(root, 'packages/client/src/index.ts')],
    outfile: path.join(folder, 'dist/index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: ['es2022', 'node20'],
    legalComments: 'none',
  });
  await writeTypes(path.join(folder, 'dist'));
  return packPackage(
    folder,
    {
      name: '@media-jobs/client',
      description: 'Client of a media jobs service: upload, submit, wait, download, verify webhooks.',
      sideEffects: false,
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    },
    'packages/client/README.md',
  );
}

/** Declarations of the sources; those of the contract come from the OpenAPI document. */
async function writeTypes(directory: string): Promise<void> {
  await emitDeclarations({ file: path.join(root, 'packages/client/src/index.ts'), directory });
  const document = JSON.parse(await readFile(path.join(root, 'docs/openapi.json'), 'utf8')) as ApiDocument;
  await writeFile(path.join(directory, 'operation.d.ts'), await apiTypes(document));
}

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: { schemas: Schema } };

/** Declarations that replace those of `packages/client/src/operation.ts`, which are of zod and the contracts. */
const operationTypes = `
type OperationRequest<Id extends keyof Operations> = Operations[Id]['request'] & { signal?: AbortSignal };
type OperationResponse<Id extends keyof Operations> = Operations[Id]['response'];
type OperationResult<Id extends keyof Operations> = Exclude<OperationResponse<Id>, { status: 304 }>['body'];
`;

/** The types of all operations as a module without imports, from the OpenAPI document. */
async function apiTypes(document: ApiDocument): Promise<string> {
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
  // The comments that only say where a type is from.
  const origins = /\/\*\*\n \* This interface was referenced by [\s\S]*?\*\/\n/g;
  return types.replaceAll(origins, '') + operationTypes;
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
